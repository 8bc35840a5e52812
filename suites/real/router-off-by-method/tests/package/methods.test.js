'use strict'

const { test } = require('node:test')
const FindMyWay = require('../')

test('deregister a route by method', t => {
  t.plan(2)
  const findMyWay = FindMyWay()

  findMyWay.on(['GET', 'POST'], '/a', () => {})
  findMyWay.off('GET', '/a')

  t.assert.ok(!findMyWay.find('GET', '/a'))
  t.assert.ok(findMyWay.find('POST', '/a'))
})

