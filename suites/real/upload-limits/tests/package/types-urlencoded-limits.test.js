'use strict'

const { test } = require('node:test')
const Busboy = require('..')

function parse (chunks, limits) {
  return new Promise((resolve, reject) => {
    const busboy = new Busboy({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      limits
    })
    const fields = []
    let maxKey = 0
    let maxVal = 0

    busboy.on('field', (key, val, keyTrunc, valTrunc) => {
      fields.push([key.length, val.length, keyTrunc, valTrunc])
    })
    busboy.on('error', reject)
    busboy.on('finish', () => resolve({ fields, maxKey, maxVal }))

    for (const chunk of chunks) {
      busboy.write(Buffer.from(chunk))
      maxKey = Math.max(maxKey, busboy._parser._key.length)
      maxVal = Math.max(maxVal, busboy._parser._val.length)
    }
    busboy.end()
  })
}

test('fieldSize is enforced for repeated incomplete escapes', async (t) => {
  const { fields } = await parse(['a=' + '%a%'.repeat(4)], { fieldSize: 4 })
  t.assert.deepStrictEqual(fields, [[1, 4, false, true]])
})

test('default fieldSize and fieldNameSize are enforced for repeated incomplete escapes', async (t) => {
  const value = await parse(['a=' + '%a%'.repeat(600000)])
  t.assert.deepStrictEqual(value.fields, [[1, 1024 * 1024, false, true]])

  const name = await parse(['%a%'.repeat(60) + '=x'])
  t.assert.deepStrictEqual(name.fields, [[100, 1, true, false]])
})

