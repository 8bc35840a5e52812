'use strict'

const { test } = require('node:test')
const assert = require('node:assert')
const Busboy = require('..')

const parsed = (type, body, limits) => new Promise((resolve, reject) => {
  const found = []
  const busboy = new Busboy({ headers: { 'content-type': type }, limits })
  busboy.on('field', (name, value, _, cut) => found.push([name, value, cut]))
  busboy.on('file', (name, stream, fileName) => {
    const events = []
    found.push([name, fileName, events])
    stream.on('limit', () => events.push('limit'))
    stream.on('data', (data) => events.push(data.toString()))
  })
  busboy.on('error', reject)
  busboy.on('finish', () => resolve(found))
  busboy.end(body)
})

const part = (disposition, content, limits) => parsed(
  'multipart/form-data; boundary=cut',
  `--cut\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--cut--\r\n`,
  limits
)

const plain = (body) => parsed('application/x-www-form-urlencoded', body, { fieldSize: 4 })

test('a file that is cut says so once, and no other does', async () => {
  const [[name, fileName, events]] = await part('name="scan"; filename="a.txt"', 'x'.repeat(20), { fileSize: 10 })
  assert.deepStrictEqual([name, fileName], ['scan', 'a.txt'])
  assert.deepStrictEqual(events.filter((event) => event === 'limit'), ['limit'])
  assert.ok(events.includes('x'.repeat(10)))
  const [[, , whole]] = await part('name="scan"; filename="a.txt"', 'x'.repeat(10), { fileSize: 10 })
  assert.deepStrictEqual(whole, ['x'.repeat(10)])
})

test('a part with a line break in a name is left out', async () => {
  for (const code of ['%0A', '%0D', '%0D%0A']) {
    assert.deepStrictEqual(await part(`name=scan; filename*=utf-8''bill${code}.pdf`, 'x'), [])
    assert.deepStrictEqual(await part(`name*=utf-8''no${code}te`, 'x'), [])
  }
  assert.deepStrictEqual(await part("name*=utf-8''no%20te", 'x'), [['no te', 'x', false]])
})

test('a text is cut at its limit and not before', async () => {
  assert.deepStrictEqual(await plain('note=abc%4'), [['note', 'abc%', true]])
  assert.deepStrictEqual(await plain('note=abcdef'), [['note', 'abcd', true]])
  assert.deepStrictEqual(await plain('note=abcd'), [['note', 'abcd', false]])
})
