'use strict'

const { test } = require('node:test')
const rfdc = require('rfdc')({ proto: true })
const FindMyWay = require('..')

function equalRouters (t, router1, router2) {
  t.assert.deepStrictEqual(router1._opts, router2._opts)
  t.assert.deepEqual(router1.routes, router2.routes)
  t.assert.deepEqual(JSON.stringify(router1.trees), JSON.stringify(router2.trees))

  t.assert.deepStrictEqual(
    router1.constrainer.strategies,
    router2.constrainer.strategies
  )
  t.assert.deepStrictEqual(
    router1.constrainer.strategiesInUse,
    router2.constrainer.strategiesInUse
  )
  t.assert.deepStrictEqual(
    router1.constrainer.asyncStrategiesInUse,
    router2.constrainer.asyncStrategiesInUse
  )
}

test('hasRoute returns true for a regexp route', t => {
  t.plan(7)

  const findMyWay = FindMyWay()
  findMyWay.on('GET', '/:param(^\\d+$)', () => {})

  const fundMyWayClone = rfdc(findMyWay)

  const hasRoute = findMyWay.hasRoute('GET', '/:param(^\\d+$)')
  t.assert.equal(hasRoute, true)

  equalRouters(t, findMyWay, fundMyWayClone)
})

test('hasRoute returns false for a regexp route', t => {
  t.plan(7)

  const findMyWay = FindMyWay()
  findMyWay.on('GET', '/:file(^\\S+).png', () => {})

  const fundMyWayClone = rfdc(findMyWay)

  const hasRoute = findMyWay.hasRoute('GET', '/:file(^\\D+).png')
  t.assert.equal(hasRoute, false)

  equalRouters(t, findMyWay, fundMyWayClone)
})

