'use strict'

const { test } = require('node:test')
const assert = require('node:assert')
const createStorage = require('../src/storage')

const made = (size) => createStorage('memory', { size, invalidation: true })

test('a dropped key that comes back is not found by its old reference', () => {
  const storage = made(2)
  storage.set('p1', 10, 60, ['import-1'])
  storage.set('p2', 20, 60, ['import-1'])
  storage.set('p3', 30, 60, ['import-1'])
  storage.set('p1', 11, 60, ['import-2'])
  assert.deepStrictEqual(storage.invalidate('import-1'), ['p3'])
  assert.strictEqual(storage.get('p1'), 11)
})

test('dropped keys leave nothing behind', () => {
  const storage = made(2)
  for (let number = 0; number < 9; number++) storage.set(`p${number}`, number, 60, [`only-${number}`])
  assert.strictEqual(storage.keysReferences.size, 2)
  assert.strictEqual(storage.referencesKeys.size, 2)
})

test('keys that are cleared by their name leave nothing behind', () => {
  const storage = made(9)
  for (const key of ['s~a', 's~b', 't~a']) storage.set(key, 1, 60, ['all', key])
  storage.clear('s~')
  assert.deepStrictEqual([...storage.referencesKeys], [['all', ['t~a']], ['t~a', ['t~a']]])
  storage.set('s~a', 2, 60)
  assert.deepStrictEqual(storage.invalidate('s~a'), [])
  assert.strictEqual(storage.get('s~a'), 2)
})

test('a removed key leaves nothing behind', () => {
  const storage = made(9)
  storage.set('a', 1, 60, ['all', 'mine'])
  storage.set('b', 1, 60, ['all'])
  assert.strictEqual(storage.remove('a'), true)
  assert.deepStrictEqual([...storage.referencesKeys], [['all', ['b']]])
  storage.set('a', 2, 60)
  assert.deepStrictEqual(storage.invalidate(['mine', 'all']), ['b'])
  assert.strictEqual(storage.get('a'), 2)
})
