'use strict'

const { test } = require('node:test')
const FindMyWay = require('..')

test('findRoute distinguishes routes differing only by an interior static part', t => {
  t.plan(3)
  const findMyWay = FindMyWay()

  findMyWay.on('GET', '/h5/:cityName-:poiName/hotels-c:cityId-r:poiId', () => 'r')
  findMyWay.on('GET', '/h5/:cityName-:poiName/hotels-c:cityId-a:poiId', () => 'a')

  t.assert.equal(
    findMyWay.findRoute('GET', '/h5/:cityName-:poiName/hotels-c:cityId-r:poiId').handler(),
    'r'
  )
  t.assert.equal(
    findMyWay.findRoute('GET', '/h5/:cityName-:poiName/hotels-c:cityId-a:poiId').handler(),
    'a'
  )
  t.assert.equal(
    findMyWay.findRoute('GET', '/h5/:cityName-:poiName/hotels-c:cityId-z:poiId'),
    null
  )
})

