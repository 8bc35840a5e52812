'use strict'

const { test, describe } = require('node:test')
const assert = require('node:assert')
const { tspl } = require('@matteo.collina/tspl')
const createStorage = require('../src/storage')
const { promisify } = require('util')

const sleep = promisify(setTimeout)

describe('storage memory', async () => {
  describe('get', async () => {
  })

  describe('exists', async () => {
  })

  describe('getTTL', async () => {
  })

  describe('set', async () => {
    test('should update references of evicted keys (removed by size)', async () => {
      const storage = createStorage('memory', { size: 2, invalidation: true })

      storage.set('foo1', 'a', 100, ['foo:1', 'fooers'])
      storage.set('foo2', 'b', 100, ['foo:2', 'fooers'])
      storage.set('foo3', 'c', 100, ['foo:3', 'fooers'])
      storage.set('foo4', 'd', 100, ['foo:4', 'fooers'])

      assert.equal(storage.store.get('foo1'), undefined)
      assert.equal(storage.store.get('foo2'), undefined)
      assert.equal(storage.store.get('foo3').value, 'c')
      assert.equal(storage.store.get('foo4').value, 'd')

      assert.deepStrictEqual(storage.referencesKeys.get('fooers'), ['foo3', 'foo4'])

      assert.deepStrictEqual(storage.keysReferences.get('foo1'), undefined)
      assert.deepStrictEqual(storage.keysReferences.get('foo2'), undefined)
      assert.deepStrictEqual(storage.keysReferences.get('foo3'), ['foo:3', 'fooers'])
      assert.deepStrictEqual(storage.keysReferences.get('foo4'), ['foo:4', 'fooers'])
    })
  })

  describe('remove', async () => {
    test('should remove a key but not references if still active', async () => {
      const storage = createStorage('memory', { invalidation: true })
      storage.set('a', 1, 10, ['fooers', 'vowels'])
      storage.set('b', 1, 10, ['fooers', 'consonantes'])
      storage.set('c', 1, 10, ['fooers', 'consonantes'])
      storage.set('d', 1, 10, ['consonantes'])
      storage.set('e', 1, 10, ['vowels'])

      assert.equal(storage.remove('a'), true)

      assert.equal(storage.get('a'), undefined)
      assert.equal(storage.get('b'), 1)
      assert.equal(storage.get('c'), 1)
      assert.equal(storage.get('d'), 1)
      assert.equal(storage.get('e'), 1)

      assert.deepStrictEqual(storage.referencesKeys.get('fooers'), ['b', 'c'])
      assert.deepStrictEqual(storage.referencesKeys.get('consonantes'), ['b', 'c', 'd'])
      assert.deepStrictEqual(storage.referencesKeys.get('vowels'), ['e'])

      assert.deepStrictEqual(storage.keysReferences.get('a'), undefined)
      assert.deepStrictEqual(storage.keysReferences.get('b'), ['fooers', 'consonantes'])
      assert.deepStrictEqual(storage.keysReferences.get('c'), ['fooers', 'consonantes'])
      assert.deepStrictEqual(storage.keysReferences.get('d'), ['consonantes'])
      assert.deepStrictEqual(storage.keysReferences.get('e'), ['vowels'])
    })
  })

  describe('invalidate', async () => {
  })

  describe('clear', async () => {
    test('should clear a keys and their references', async () => {
      const storage = createStorage('memory', { invalidation: true })
      storage.set('a-a', 1, 10, ['fooers', 'vowels', 'empty'])
      storage.set('a-b', 1, 10, ['fooers', 'consonantes'])
      storage.set('a-c', 1, 10, ['fooers', 'consonantes'])
      storage.set('b-d', 1, 10, ['consonantes'])
      storage.set('b-e', 1, 10, ['vowels'])

      storage.clear('a-')

      assert.equal(storage.get('a-a'), undefined)
      assert.equal(storage.get('a-b'), undefined)
      assert.equal(storage.get('a-c'), undefined)
      assert.equal(storage.get('b-d'), 1)
      assert.equal(storage.get('b-e'), 1)

      assert.deepStrictEqual(storage.referencesKeys.get('fooers'), undefined)
      assert.deepStrictEqual(storage.referencesKeys.get('empty'), undefined)
      assert.deepStrictEqual(storage.referencesKeys.get('consonantes'), ['b-d'])
      assert.deepStrictEqual(storage.referencesKeys.get('vowels'), ['b-e'])

      assert.deepStrictEqual(storage.keysReferences.get('a-a'), undefined)
      assert.deepStrictEqual(storage.keysReferences.get('a-b'), undefined)
      assert.deepStrictEqual(storage.keysReferences.get('a-c'), undefined)
      assert.deepStrictEqual(storage.keysReferences.get('b-d'), ['consonantes'])
      assert.deepStrictEqual(storage.keysReferences.get('b-e'), ['vowels'])
    })
  })

  describe('refresh', async () => {
  })
})
