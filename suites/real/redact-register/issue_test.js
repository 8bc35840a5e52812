'use strict'

const { test } = require('node:test')
const assert = require('node:assert')
const redaction = require('..')

function register (paths, value) {
  const places = []
  const redact = redaction({
    paths,
    censor: (_, place) => {
      places.push(place.join('/'))
      return 'X'
    }
  })
  return { places, written: JSON.parse(redact(value)) }
}

test('the place in an array has the number of the element', () => {
  const users = [{ password: 'a' }, { password: 'b' }]
  const { places, written } = register(['users.*.password'], { users })
  assert.deepStrictEqual(places, ['users/0/password', 'users/1/password'])
  assert.deepStrictEqual(written, { users: [{ password: 'X' }, { password: 'X' }] })
})

test('the place in an object has the name of the property', () => {
  assert.deepStrictEqual(register(['users.*.in.key'], { users: { ann: { in: { key: 1 } } } }).places, ['users/ann/in/key'])
})

for (const [path, value, place] of [
  ['*.*.*.token', { a: { b: { c: { token: 1 } } } }, 'a/b/c/token'],
  ['top.*.list.*.token', { top: { a: { list: [{ token: 1 }] } } }, 'top/a/list/0/token'],
  ['top.*.list.*', { top: { a: { list: [1] } } }, 'top/a/list/0'],
  ['top.*', { top: { a: 1 } }, 'top/a']
]) {
  test(`the place of ${path} has no gap`, () => {
    assert.deepStrictEqual(register([path], value).places, [place])
  })
}

test('what is missing does not save the rest', () => {
  const { places, written } = register(['card', 'owner.name', 'iban'], { iban: 'DE00', owner: {} })
  assert.deepStrictEqual(written, { iban: 'X', owner: {} })
  assert.deepStrictEqual(places, ['iban'])
})
