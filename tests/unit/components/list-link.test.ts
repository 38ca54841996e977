import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { filterValues, hasNothing, isFiltered, listHref, narrowedBy } from '@/components/list/list-link'
import { line } from '@/lib/base/contracts/contract'
import { beginningOf, type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import { listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'

const path = '/list'
const Query = listQuery({
  filters: { search: line().optional(), used: yesNoFilter().optional(), kinds: many(z.enum(['a', 'b'])).optional() },
  sorts: ['name', 'date'],
  defaultSort: { by: 'name', order: 'asc' },
})
/** Returns the query that the page reads from a link. */
const follow = (href: string) => {
  const { searchParams } = new URL(href, 'http://localhost')
  const search: Record<string, string[]> = {}
  for (const name of searchParams.keys()) search[name] = searchParams.getAll(name)
  return readListAddress(
    Query,
    path,
    Object.fromEntries(Object.entries(search).map(([name, values]) => [name, values.length > 1 ? values : values[0]])),
  )
}
const address = (search: string) => ({ path, search })

describe('links of a list', () => {
  test('the page reads exactly the change of a link, and keeps everything else', () => {
    const from = address('filter[search]=x&sortBy=date&sort=desc&meta[page]=3&meta[perPage]=50')
    const { query } = follow(listHref(from, { filter: { kinds: ['a', 'b'], used: 'false' } }))
    expect(query).toEqual({
      page: 1,
      perPage: 50,
      filter: { search: 'x', kinds: ['a', 'b'], used: false },
      sortBy: 'date',
      sort: 'desc',
    })
  })
  test.each([
    ['a sort', { sort: { by: 'date', order: 'asc' } }, 1],
    ['a page size', { perPage: 10 }, 1],
    ['a filter', { filter: { search: 'y' } }, 1],
    ['a page', { page: 4 }, 4],
    ['a cursor', { after: 'abc' }, 1],
  ] as const)('after %s the page is %3$s', (_, change, page) =>
    expect(follow(listHref(address('meta[page]=3'), change)).query.page).toBe(page),
  )
  test('a filter is removed by null, by nothing and by an empty text', () => {
    for (const value of [null, [], ''])
      expect(listHref(address('filter[search]=x'), { filter: { search: value } })).toBe(path)
  })
  test('reset removes the filters and keeps sort and page size', () => {
    const from = address('filter[search]=x&filter[kinds]=a&filter[kinds]=b&sortBy=date&meta[perPage]=10&meta[page]=2')
    expect(listHref(from, { reset: true })).toBe(`${path}?sortBy=date&${encodeURIComponent('meta[perPage]')}=10`)
  })
  test('text passes through an address unchanged', () => {
    const text = 'a&b=c [d] «ё» 100% +#'
    const { address: at, query } = follow(listHref(address(''), { filter: { search: text } }))
    expect(filterValues(at, 'search')).toEqual([text])
    expect(query.filter.search).toBe(text)
    expect([isFiltered(at), isFiltered(address('sort=asc'))]).toEqual([true, false])
  })
})

describe('places of a list by cursor', () => {
  const Walked = listQuery({
    filters: { search: line().optional() },
    sorts: ['name'],
    defaultSort: { by: 'name', order: 'asc' },
    cursor: true,
  })
  test('a link to another state of the list drops cursor and page, and keeps everything else', () => {
    const current = address('filter[search]=x&meta[perPage]=50&meta[after]=abc')
    for (const change of [
      { before: 'def' },
      { after: 'ghi' },
      { page: 2 },
      { filter: { search: 'y' } },
      { perPage: 10 },
    ]) {
      const names = [...new URL(listHref(current, change), 'http://localhost').searchParams.keys()]
      expect(names.filter((name) => ['meta[page]', 'meta[after]', 'meta[before]'].includes(name)).length).toBeLessThan(
        2,
      )
      expect(names).toContain('filter[search]')
      expect(listHref(current, change)).not.toContain('abc')
    }
    expect(beginningOf(current)).toBe(listHref(current, {}))
  })
  test('a cursor is accepted alone and in its own format; a list without cursors accepts none', () => {
    const read = (meta: Record<string, string>) => Walked.safeParse({ meta })
    expect(read({ after: 'a.b-c_D' }).data).toMatchObject({ page: 1, after: 'a.b-c_D' })
    for (const wrong of [
      { after: '' },
      { after: 'a b' },
      { after: 'x'.repeat(4097) },
      { after: 'a', before: 'b' },
      { before: 'a', page: '2' },
    ])
      expect(read(wrong as unknown as Record<string, string>).success).toBe(false)
    expect(Query.safeParse({ meta: { after: 'a' } }).success).toBe(false)
  })
})

describe('reading a list’s address', () => {
  test('turns a single value of a list into a list of one', () =>
    expect(readListAddress(Query, path, { 'filter[kinds]': 'a' }).query.filter.kinds).toEqual(['a']))
  test('ignores empty fields, as a form sends them', () => {
    const { query, address: at } = readListAddress(Query, path, { 'filter[search]': '', 'filter[used]': '' })
    expect(query.filter).toEqual({})
    expect(at.search).toBe('')
  })
  test.each([{ 'filter[other]': '1' }, { sortBy: 'x' }, { 'filter[kinds]': ['a', 'z'] }, { 'filter[used]': 'maybe' }])(
    'ignores %j as a whole: the bare list',
    (search) => {
      const { query, address: at } = readListAddress(Query, path, search as PageSearch)
      expect(query).toMatchObject({ page: 1, filter: {}, sortBy: 'name' })
      expect(at).toEqual({ path, search: '' })
    },
  )
})

describe('what narrows a list', () => {
  test.each([
    ['sort=asc&meta[page]=2', { search: undefined, filters: false }],
    ['filter[search]=x', { search: 'x', filters: false }],
    ['filter[used]=true', { search: undefined, filters: true }],
    ['filter[search]=x&filter[kinds]=a', { search: 'x', filters: true }],
  ])('%s', (search, narrowed) => expect(narrowedBy(address(search))).toEqual(narrowed))
  test.each([
    ['nothing was ever created', '', { total: 0 }, true],
    ['nobody counted, and no cursor leads on', 'sortBy=date', { before: null, after: null }, true],
    ['the search finds nothing', 'filter[search]=x', { total: 0 }, false],
    ['a filter leaves nothing', 'filter[used]=true', { total: 0 }, false],
    ['the rows are on other pages', 'meta[page]=9', { total: 3 }, false],
    ['the rows are before the cursor', 'meta[after]=x', { before: 'y', after: null }, false],
  ])('a page without rows has none anywhere: %s', (_, search, meta, nothing) => {
    expect(hasNothing(address(search), meta)).toBe(nothing)
  })
})
