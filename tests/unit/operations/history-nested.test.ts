import { describe, expect, test } from 'vitest'
import { combinations, json, list } from '@/lib/base/audit/entity'
import { isSame, type Plain } from '@/lib/base/audit/values'
import { networkAliasEntity } from '@/lib/network/network-aliases/entity'
import { clientEntity } from '@/lib/openid/clients/entity'
import { diffOf, idsIn } from '@/lib/operations/history/diff'
import { type Leaf, leavesOf, type Step, withoutEmpty } from '@/lib/operations/history/nested'
import type { Shown } from '@/lib/operations/history/shown'
import { domainEntity } from '@/lib/site/domains/entity'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

const textOf = (one: Shown | null) => (one === null ? null : one.as === 'choice' ? one.text : one.value)
const stepText = (step: Step) =>
  step.as === 'member' ? (step.label ?? step.name) : step.as === 'named' ? step.id : step.number
const pathOf = ({ path }: Leaf) =>
  path
    .map(stepText)
    .filter((text) => text !== '')
    .join(' · ')
/** A row as people read it: where, what was and what is. */
const rowOf = (leaf: Leaf) => {
  const { diff } = leaf
  if (diff.kind === 'secret') return [pathOf(leaf), diff.act]
  if (diff.kind === 'value') return [pathOf(leaf), textOf(diff.previous), textOf(diff.current)]
  return diff.moved ? [pathOf(leaf), 'moved'] : [pathOf(leaf), diff.removed.map(textOf), diff.added.map(textOf)]
}
const rows = (field: Parameters<typeof leavesOf>[0], before: Plain, after: Plain) =>
  leavesOf(field, before, after).map(rowOf)

const ru = '3a6f91f2-0000-4000-8000-000000000001'
const en = '3a6f91f2-0000-4000-8000-000000000002'
const texts = (more: { [member: string]: Plain } = {}) => ({
  projectTitle: 'Полярис',
  projectName: 'Портал',
  siteName: '',
  banners: ['b1', 'b2'],
  technical: [{ title: 'Почта', text: 'help', link: 'mailto:a@b.example', mobile: '' }],
  ...more,
})
const locale = (localeId: string, order: number, settings: Plain, enabled = true): Plain => ({
  localeId,
  order,
  enabled,
  settings,
})

describe('a value with members', () => {
  const { locales, agreements, devicesIdAttributes } = domainEntity.fields

  test('has a row for each member that differs, under the names of the form, and none for what is equal', () =>
    expect(
      rows(
        locales,
        [locale(ru, 0, texts()), locale(en, 1, texts())],
        [locale(ru, 0, texts({ projectTitle: 'Полярис 2', banners: ['b2', 'b3'] })), locale(en, 1, texts(), false)],
      ),
    ).toEqual([
      [`${ru} · domains.projectTitle`, 'Полярис', 'Полярис 2'],
      [`${ru} · domains.banners`, ['b1'], ['b3']],
      [`${en} · domains.record.shown`, true, false],
    ]))

  test('of a list is found by what tells it apart, wherever it stands', () => {
    const [first, second] = [locale(ru, 0, texts()), locale(en, 1, texts({ copyright: 'ООО' }))]
    expect(rows(locales, [first, second], [second, first])).toEqual([['', 'moved']])
    expect(
      rows(locales, [first, second], [locale(en, 0, texts({ copyright: 'ООО' })), locale(ru, 1, texts())]),
    ).toEqual([
      [`${ru} · domains.record.order`, 0, 1],
      [`${en} · domains.record.order`, 1, 0],
    ])
    expect(rows(agreements, [], [{ agreementId: 'a', loginRequired: true }])).toEqual([
      ['', [], ['a']],
      ['a · domains.flags.loginRequired', null, true],
    ])
  })

  test('without such a member it is found by its place, from both ends of the list', () => {
    const link = (title: string) => ({ title, text: title, link: '', mobile: '' })
    const localesWith = (...titles: string[]) => [locale(ru, 0, { technical: titles.map(link) })]
    expect(rows(locales, localesWith('a', 'b', 'c'), localesWith('a', 'x', 'c')).map(([path]) => path)).toEqual([
      `${ru} · domains.technical · 2 · domains.technicalTitle`,
      `${ru} · domains.technical · 2 · domains.technicalText`,
    ])
    expect(rows(locales, localesWith('a', 'b', 'c'), localesWith('a', 'c'))).toEqual([
      [`${ru} · domains.technical · 2 · domains.technicalTitle`, 'b', null],
      [`${ru} · domains.technical · 2 · domains.technicalText`, 'b', null],
    ])
    expect(rows(locales, localesWith('a', 'b'), localesWith('b', 'a'))).toEqual([
      [`${ru} · domains.technical`, 'moved'],
    ])
  })

  test('may be named by ids, and a list of choices says each in words', () => {
    expect(rows(devicesIdAttributes, { d1: ['login'] }, { d1: ['email'] })).toEqual([
      ['d1', ['domains.kinds.login'], ['domains.kinds.email']],
    ])
    expect(idsIn(devicesIdAttributes, { value: { d1: ['login'] } })).toEqual([['deviceTypes', 'd1']])
  })

  test('ids that it refers to are found at any depth', () =>
    expect(idsIn(locales, { value: [locale(ru, 0, texts())] })).toEqual([
      ['locales', ru],
      ['banners', 'b1'],
      ['banners', 'b2'],
    ]))

  test('a member that nothing declares has its own name', () => {
    expect(rows(json('x'), { a: { b: 1 }, same: 1 }, { a: { b: 2 }, same: 1 })).toEqual([['a · b', 1, 2]])
    expect(rows(list('x'), [{ id: 'i', n: 1 }], [{ id: 'i', n: 2 }])).toEqual([['i · n', 1, 2]])
    expect(rows(networkAliasEntity.fields.ips, [{ ip: '10.0.0.1' }], [{ ip: '10.0.0.1', comment: 'a' }])).toEqual([
      ['10.0.0.1 · network-aliases.ipComment', null, 'a'],
    ])
  })

  test('a number with its unit, and items that are references alone, stay whole', () => {
    const [minute, hour] = [
      { value: 1, unit: 'minutes' },
      { value: 1, unit: 'hours' },
    ]
    expect(diffOf(json('x'), { value: minute }, { value: hour })).toMatchObject({
      kind: 'value',
      current: { value: hour },
    })
    const roles = combinations<{ roleId: string }>('x', { roleId: 'roles' })
    expect(diffOf(roles, { value: [{ roleId: 'a' }] }, { value: [{ roleId: 'b' }] })).toMatchObject({ kind: 'list' })
  })

  test('what differs in empty values alone is shown whole', () =>
    expect(diffOf(json('x'), { value: { a: '' } }, { value: { a: null } })).toMatchObject({ kind: 'value' }))
})

describe('secrets in it', () => {
  test('are said to be set, changed or removed, beside what isn’t a secret', () => {
    const field = json<{ key: string; name: string }>('x', { key: true })
    const side = (value: Plain) => ({ value })
    const diff = diffOf(field, side({ name: 'a' }), side({ key: 'plain', name: 'b' }))
    expect(diff.kind === 'nested' && diff.leaves.map(rowOf)).toEqual([
      ['name', 'a', 'b'],
      ['key', 'set'],
    ])
    expect(JSON.stringify(diff)).not.toContain('plain')
  })

  test('a private key of a client is never shown', () => {
    const { jwks } = clientEntity.fields
    const diff = diffOf(jwks, { value: null }, { value: { keys: [{ kid: 'k', kty: 'RSA', d: 'private' }] } })
    expect(diff.kind === 'nested' && diff.leaves.map(rowOf)).toEqual([
      ['', [], ['k']],
      ['k · kty', null, 'RSA'],
      ['k · d', 'set'],
    ])
  })
})

describe('over random values', () => {
  const random = caseNumbers(77)
  const share = () => random(1_000) / 1_000
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const names = ['id', 'a', 'b', 'order']
  const plain = (depth = 0): Plain => {
    const kind = share()
    if (depth > 3 || (depth > 0 && kind < 0.4)) return pick([null, true, 0, -1.5, '', 'a', 'b', '***', {}, []])
    const many = <T>(make: (at: number) => T) => Array.from({ length: random(4) }, (_, at) => make(at))
    if (kind < 0.55) return many(() => plain(depth + 1))
    const members = () => Object.fromEntries(many(() => [pick(names), plain(depth + 1)] as const))
    if (kind < 0.75) return many((at) => ({ ...members(), ...(share() < 0.8 ? { id: `i${at}` } : {}) }))
    return members()
  }
  /** The same with one or several places changed. */
  const changed = (value: Plain): Plain => {
    if (share() < 0.15 || value === null || typeof value !== 'object') return plain(2)
    if (Array.isArray(value)) {
      const remaining = value.filter(() => share() < 0.8).map((each) => (share() < 0.3 ? changed(each) : each))
      return share() < 0.2 ? remaining.toReversed() : remaining
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, share() < 0.4 ? changed(each) : each]))
  }
  const field = json<object>('x')

  /** Everything that stands somewhere in a value, with where it stands, in an order of its own. */
  const spread = (value: Plain, path = ''): string[] => {
    if (value === null) return []
    if (typeof value !== 'object') return [`${path}=${JSON.stringify(value)}`]
    if (Array.isArray(value)) return value.flatMap((each) => spread(each, `${path}[]`))
    return Object.entries(value).flatMap(([name, each]) => spread(each, `${path}.${name}`))
  }
  /** The same of one side of the rows: each with the path of its row, without ids and places. */
  const spreadSide = (leaves: readonly Leaf[], side: 'previous' | 'current') =>
    leaves.flatMap(({ path, diff }) => {
      const place = path.map((step) => (step.as === 'member' ? `.${step.name}` : '[]')).join('')
      if (diff.kind === 'value') return spread(diff[side]?.value ?? null, place)
      if (diff.kind !== 'list') throw new Error('nothing here is a secret')
      const items = side === 'previous' ? diff.removed : diff.added
      // what tells an item apart stands for it
      return items.flatMap(({ value }) => spread(value, `${place}[]`))
    })
  const idless = (all: string[]) => all.map((one) => one.replace(/\.id=(?="[^"]*"$)/, '='))

  test('equal values have no rows, and what differs has one', () => {
    for (const _ of eachRound(3_000)) {
      const value = plain()
      expect(leavesOf(field, value, structuredClone(value))).toEqual([])
      const other = changed(value)
      expect(leavesOf(field, value, other).length > 0).toBe(!isSame(withoutEmpty(value), withoutEmpty(other)))
    }
  })

  test('each row differs, and stands at a place of its own', () => {
    for (const _ of eachRound(3_000)) {
      const value = plain()
      const leaves = leavesOf(field, value, changed(value))
      for (const { diff } of leaves) {
        if (diff.kind === 'value') expect(isSame(diff.previous?.value ?? null, diff.current?.value ?? null)).toBe(false)
        if (diff.kind === 'list') expect(diff.moved || diff.removed.length + diff.added.length > 0).toBe(true)
      }
      // a place may be left by a value of one form, and taken by one of another
      const places = leaves.map(({ path, diff }) => JSON.stringify([path, diff.kind]))
      const twice = places.filter((place, at) => places.indexOf(place) !== at)
      for (const place of twice) expect(place).toContain('"list"')
    }
  })

  test('without what was in the rows, and with what is in them, the value before is the value after', () => {
    let seen = 0
    for (const _ of eachRound(5_000)) {
      const before = plain()
      const after = changed(before)
      const leaves = leavesOf(field, before, after)
      const rest = idless(spread(withoutEmpty(before)))
      const missing = idless(spreadSide(leaves, 'previous')).filter((one) => {
        const at = rest.indexOf(one)
        if (at >= 0) rest.splice(at, 1)
        return at < 0
      })
      expect(missing).toEqual([])
      const applied = [...rest, ...idless(spreadSide(leaves, 'current'))]
      expect(applied.toSorted()).toEqual(idless(spread(withoutEmpty(after))).toSorted())
      if (leaves.length > 1) seen++
    }
    expect(seen).toBeGreaterThan(shareOf(400))
  })
})
