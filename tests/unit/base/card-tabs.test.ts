import { describe, expect, test } from 'vitest'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { openTabs, requestedTab, tabHref } from '@/lib/base/navigation/card-tabs'

const tabs = { data: null, holders: 'users.read', history: 'history.read' } as const
const holding =
  (...methods: SystemicMethod[]) =>
  (method: SystemicMethod) =>
    methods.includes(method)

describe('the tabs of a card', () => {
  test('are shown to whoever holds their methods', () => {
    expect(openTabs(tabs, holding())).toEqual(['data'])
    expect(openTabs(tabs, holding('history.read'))).toEqual(['data', 'history'])
  })

  test.each([
    [undefined, 'data'],
    ['data', 'data'],
    ['history', 'history'],
    ['holders', 403],
    ['unknown', 404],
    ['', 404],
    // what an object has by its nature is no tab
    ['constructor', 404],
    ['__proto__', 404],
    [['history', 'holders'], 404],
    [['history'], 404],
  ] as const)('with history.read alone, %j opens %j', (asked, opened) =>
    expect(requestedTab(tabs, typeof asked === 'object' ? [...asked] : asked, holding('history.read'))).toBe(opened),
  )

  test('a first tab that the person may not open is refused too, not passed over', () =>
    expect(requestedTab({ secret: 'settings.read', data: null }, undefined, holding())).toBe(403))

  test('the first has the address of the card', () => {
    expect(tabHref(tabs, '/a/1', 'data')).toBe('/a/1')
    expect(tabHref(tabs, '/a/1', 'history')).toBe('/a/1?tab=history')
  })
})
