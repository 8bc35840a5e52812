'use strict'

const { test } = require('node:test')
const assert = require('node:assert')
const createRouter = require('..')

const handler = () => {}

test('a path that is off for one method stays on for the others', () => {
  const router = createRouter()
  for (const method of ['GET', 'POST', 'PUT']) router.on(method, '/orders', handler)
  router.off('GET', '/orders')
  assert.strictEqual(router.find('GET', '/orders'), null)
  assert.notStrictEqual(router.find('POST', '/orders'), null)
  router.off(['PUT'], '/orders')
  assert.strictEqual(router.find('PUT', '/orders'), null)
  assert.notStrictEqual(router.find('POST', '/orders'), null)
})

test('a path with parameters is found by its own text', () => {
  const router = createRouter()
  router.on('GET', '/shops/:shop/orders/:id', handler)
  router.on('GET', '/files/*', handler)
  assert.ok(router.hasRoute('GET', '/shops/:shop/orders/:id'))
  assert.deepStrictEqual(router.findRoute('GET', '/shops/:shop/orders/:id').params, ['shop', 'id'])
  assert.ok(!router.hasRoute('GET', '/shops/:shop/bills/:id'))
  assert.ok(router.hasRoute('GET', '/files/*'))
})

test('a path with an expression is found by that expression alone', () => {
  const router = createRouter()
  router.on('GET', '/orders/:id(^\\d+$)', handler)
  assert.ok(router.hasRoute('GET', '/orders/:id(^\\d+$)'))
  assert.ok(!router.hasRoute('GET', '/orders/:id(^\\w+$)'))
})
