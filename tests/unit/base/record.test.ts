import { describe, expect, test } from 'vitest'
import { audit, changesOf } from '@/lib/base/audit/audit'
import {
  defineEntity,
  type Entity,
  type Field,
  json,
  list,
  number,
  recorded,
  type Secrets,
  secret,
  text,
  yesNo,
} from '@/lib/base/audit/entity'
import { isSame, type Plain, plain } from '@/lib/base/audit/values'
import { entities } from '@/lib/operations/history/entities.generated'
import type { Random } from '../../factories/random'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { rounds } from '../../setup/scope'

type Gateway = {
  smtp: { host: string; password: string | null }
  keys: { id: string; secret: string }[]
  tokens: Record<string, string>
}

const sample = defineEntity('users', {
  login: text('x'),
  passwordMin: number('x'),
  enabled: yesNo('x'),
  password: secret('x'),
  gateway: json<Gateway>('x', { smtp: { password: true }, keys: { secret: true }, tokens: { '*': true } }),
  tags: list<string>('x'),
  seen: { kind: 'date', label: 'x' } as Field<Date | string>,
  'agreement:*': number('x'),
})
const changed = (before: Record<string, unknown> | null, after: Record<string, unknown> | null) =>
  Object.fromEntries(changesOf(sample, before, after))

describe('a record', () => {
  test('hides what was declared secret, and nothing because of its name', () => {
    expect(changed({ passwordMin: 8 }, { passwordMin: 12 })).toEqual({ passwordMin: { previous: 8, current: 12 } })
    expect(changed({ password: 'a' }, { password: 'b' })).toEqual({ password: { previous: '***', current: '***' } })
    expect(changed({ password: null }, { password: 'b' })).toEqual({ password: { previous: null, current: '***' } })
    expect(changed({ password: 'a' }, { password: undefined })).toEqual({
      password: { previous: '***', current: null },
    })
  })

  test('shows the members of a value with secrets, and for the secrets whether they are set', () => {
    const before = { smtp: { host: 'a', password: null }, keys: [{ id: '1', secret: 's' }], tokens: { x: 't' } }
    const after = { smtp: { host: 'b', password: 'p' }, keys: [], tokens: { x: 'u', y: 't' } }
    expect(changed({ gateway: before }, { gateway: after })).toEqual({
      gateway: {
        previous: { smtp: { host: 'a', password: null }, keys: [{ id: '1', secret: '***' }], tokens: { x: '***' } },
        current: { smtp: { host: 'b', password: '***' }, keys: [], tokens: { x: '***', y: '***' } },
      },
    })
  })

  test('of a changed secret contains the secret and nothing else', () => {
    const gateway = (password: string) => ({ smtp: { host: 'a', password }, keys: [], tokens: {} })
    const masked = { smtp: { host: 'a', password: '***' }, keys: [], tokens: {} }
    expect(changed({ gateway: gateway('one') }, { gateway: gateway('two') })).toEqual({
      gateway: { previous: masked, current: masked },
    })
  })

  test('of a value with another shape than declared shows nothing', () => {
    expect(changed(null, { gateway: 'smtp://user:password@host' }).gateway?.current).toBe('***')
    expect(changed(null, { gateway: { smtp: 'smtp://user:password@host' } }).gateway?.current).toEqual({ smtp: '***' })
    expect(changed(null, { gateway: { keys: { secret: { deep: 's' } } } }).gateway?.current).toEqual({
      keys: { secret: '***' },
    })
    expect(changed(null, { gateway: [[{ smtp: [{ password: ['s'] }] }]] }).gateway?.current).toEqual([
      [{ smtp: [{ password: '***' }] }],
    ])
  })

  test('is empty if only the spelling differs', () => {
    const moment = new Date('2026-11-01T10:00:00Z')
    const gateway = { smtp: { host: 'a', password: 'p' }, keys: [{ id: '1', secret: 's' }], tokens: { x: '1', y: '2' } }
    const turned = { tokens: { y: '2', x: '1' }, keys: [{ secret: 's', id: '1' }], smtp: { password: 'p', host: 'a' } }
    expect(
      changed(
        { login: undefined, seen: moment, gateway, tags: ['a'] },
        { login: null, seen: '2026-11-01T10:00:00.000Z', gateway: { ...turned, note: undefined }, tags: ['a'] },
      ),
    ).toEqual({})
    expect(changed({ seen: moment }, { seen: new Date(moment.getTime() + 1) })).toHaveProperty('seen')
    expect(changed({ tags: ['a', 'b'] }, { tags: ['b', 'a'] })).toHaveProperty('tags')
  })

  test('of a family of fields has each under its own name', () => {
    expect(changed({ 'agreement:1': null }, { 'agreement:1': 2 })).toEqual({
      'agreement:1': { previous: null, current: 2 },
    })
  })

  test.each(['unknown', 'constructor', '__proto__', 'agreement', 'agreement:*', ''])(
    'of %j, which isn’t declared, throws and writes nothing',
    (name) => {
      const side = Object.fromEntries([[name, 'value']])
      expect(() => changesOf(sample, null, side)).toThrow(/declares no field/)
      expect(() => changesOf(sample, side, null)).toThrow(/declares no field/)
      expect(recorded(sample, { ...side, login: 'a' })).toEqual({ login: 'a' })
    },
  )

  test('of an update has the same fields on both sides', () => {
    expect(() => changesOf(sample, { login: 'a', enabled: true }, { login: 'b' })).toThrow(/one side/)
    expect(() => changesOf(sample, { login: 'a' }, { login: 'a', enabled: true })).toThrow(/one side/)
  })

  test.each([
    () => 'function',
    Symbol('s'),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(Number.NaN),
    new Map([['a', 1]]),
    Buffer.from('secret'),
  ])('can’t contain a value that JSON would change silently (%#)', (value) => {
    expect(() => changesOf(sample, null, { login: value })).toThrow(TypeError)
    expect(() => changesOf(sample, null, { gateway: { smtp: value } })).toThrow(TypeError)
  })

  test('contains only text that PostgreSQL can store', () => {
    expect(plain({ 'a\u0000': 'b\u0000\ud800c' })).toEqual({ 'a\ufffd': 'b\ufffd\ufffdc' })
    expect(Object.is(plain(-0), 0)).toBe(true)
  })
})

/** Only compiled, never run. */
function refusedByTypes(...[tx, ctx]: Parameters<typeof audit>) {
  const row = { login: 'a', createdAt: new Date() }
  // @ts-expect-error a field that isn't declared
  audit(tx, ctx, sample, 'id', null, { login: 'a', unknown: 1 })
  // @ts-expect-error the same in a row that has more fields than are declared
  audit(tx, ctx, sample, 'id', null, row)
  // @ts-expect-error a value of another type
  audit(tx, ctx, sample, 'id', { enabled: true }, { enabled: 'no' })
  // @ts-expect-error a field that only one side has
  audit(tx, ctx, sample, 'id', { enabled: true, login: 'a' }, { enabled: false })
  // @ts-expect-error a name outside of the family
  audit(tx, ctx, sample, 'id', null, { 'agreements:1': 1 })
  // @ts-expect-error a name that the history doesn't know
  defineEntity('unknown', {})
  // @ts-expect-error a secret that the value doesn't have
  json<Gateway>('x', { smtp: { passphrase: true } })
  return [
    audit(tx, ctx, sample, 'id', null, { ...recorded(sample, row), 'agreement:1': 1 }),
    audit(tx, ctx, sample, 'id', { enabled: null }, { enabled: true }, { subtype: { enabled: 'work' } }),
  ]
}

test('of an undeclared field doesn’t compile', () => expect(refusedByTypes).toBeTypeOf('function'))

/** Random values, of the declared shape or another, in which every secret part contains the marker. */
class Cases {
  private made = 0
  constructor(readonly random: Random) {}
  private chance(of: number) {
    return this.random(100) < of * 100
  }
  private pick<T>(list: readonly T[]): T {
    return list[this.random(list.length)] as T
  }

  readonly names = ['a', 'password', 'smtp', 'items', '*', '__proto__', 'constructor', 'ключ']
  secrets(depth = 0): Secrets {
    if (depth > 2 || (depth > 0 && this.chance(0.4))) return this.chance(0.2) ? 'address' : true
    const names = this.names.filter(() => this.chance(0.3))
    return Object.fromEntries(names.map((name) => [name, this.secrets(depth + 1)]))
  }
  private leaf(marked: boolean): unknown {
    this.made++
    if (marked) return this.chance(0.8) ? `SECRET ${this.made}` : 777_000_000 + this.made
    return this.pick([null, true, this.made, `open ${this.made}`, new Date(this.made * 1_000), '', -0])
  }
  private tree(of: (name: string) => unknown): unknown {
    if (this.chance(0.4)) return [of('*'), of('*')].slice(this.random(3))
    return Object.fromEntries(this.names.filter(() => this.chance(0.5)).map((name) => [name, of(name)]))
  }
  value(secrets: Secrets | undefined, depth = 0): unknown {
    if (secrets === undefined || typeof secrets !== 'object') {
      const marked = secrets !== undefined
      return depth > 3 || this.chance(0.6) ? this.leaf(marked) : this.tree(() => this.value(secrets, depth + 1))
    }
    // if the shape isn't the declared one, all of it may be secret
    if (depth > 3 || this.chance(0.15)) return this.leaf(true)
    if (this.chance(0.3)) return [this.value(secrets, depth + 1), this.value(secrets, depth + 1)]
    const of = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : secrets['*'])
    const names = this.names.filter(() => this.chance(0.6))
    return Object.fromEntries(names.map((name) => [name, this.value(of(name), depth + 1)]))
  }
  /** The same value with its members in another order and its dates as texts. */
  turned(value: unknown): unknown {
    if (value instanceof Date) return value.toISOString()
    if (Array.isArray(value)) return value.map((item) => this.turned(item))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, member]) => [name, this.turned(member)] as const)
    return Object.fromEntries([...entries.reverse(), ['left out', undefined]])
  }
}

/** The value with one secret replaced; undefined if it has none. */
function withAnotherSecret(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('SECRET') ? `${value} SECRET` : undefined
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined
  for (const [name, member] of Object.entries(value)) {
    const other = withAnotherSecret(member)
    if (other === undefined) continue
    if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? other : item))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === name ? other : one]))
  }
  return undefined
}

const marker = /SECRET|777\d{6}/
const shownOf = (changes: ReturnType<typeof changesOf>) => JSON.stringify([...changes])

describe('with random values', () => {
  const cases = new Cases(caseNumbers(28))
  const pairs = Array.from({ length: rounds(3_000) }, () => {
    const secrets = cases.secrets()
    const entity: Entity = {
      name: 'users',
      fields: {
        open: { kind: 'json', label: 'x' },
        whole: { kind: 'json', label: 'x', secrets: true },
        nested: { kind: 'json', label: 'x', secrets },
      },
    }
    const make = () => ({ open: cases.value(undefined), whole: cases.value(true), nested: cases.value(secrets) })
    return { entity, before: make(), after: make() }
  })

  test('no declared secret is shown, however the value is built', () => {
    let seen = 0
    for (const { entity, before, after } of pairs) {
      if (marker.test(JSON.stringify([before, after]))) seen++
      for (const [valueBefore = null, is = null] of [
        [before, after],
        [null, after],
        [before, null],
      ])
        expect(shownOf(changesOf(entity, valueBefore, is))).not.toMatch(marker)
    }
    expect(seen).toBeGreaterThan(shareOf(2_000))
  })

  test('another order changes nothing', () => {
    for (const { entity, before } of pairs)
      for (const [name, value] of Object.entries(before))
        expect([...changesOf(entity, { [name]: value }, { [name]: cases.turned(value) })]).toEqual([])
  })

  test('a changed secret is recorded without its values', () => {
    let exchanged = 0
    for (const { entity, before } of pairs)
      for (const name of ['whole', 'nested'] as const) {
        const other = withAnotherSecret(before[name])
        if (other === undefined) continue
        exchanged++
        const changes = changesOf(entity, before, { ...before, [name]: other })
        expect([...changes.keys()]).toEqual([name])
        expect(shownOf(changes)).not.toMatch(marker)
      }
    expect(exchanged).toBeGreaterThan(shareOf(1_000))
  })

  test('the old value with the changes is the new value', () => {
    for (const { entity, before, after } of pairs) {
      const replayed: Record<string, Plain> = { open: plain(before.open) }
      for (const [name, { previous, current }] of changesOf(entity, before, after)) {
        if (name !== 'open') continue
        expect(isSame(previous, replayed.open as Plain)).toBe(true)
        replayed.open = current
      }
      expect(JSON.parse(JSON.stringify(replayed.open))).toEqual(JSON.parse(JSON.stringify(plain(after.open))))
    }
  })

  test.each(
    entities.flatMap((entity) =>
      Object.entries(entity.fields).flatMap(([name, { secrets }]) => (secrets ? [{ entity, name, secrets }] : [])),
    ),
  )('$entity.name: $name shows no secret', ({ entity, name, secrets }) => {
    for (const _ of eachRound(300)) {
      const [before, after] = [cases.value(secrets), cases.value(secrets)]
      for (const [valueBefore = null, is = null] of [
        [{ [name]: before }, { [name]: after }],
        [null, { [name]: after }],
      ])
        expect(shownOf(changesOf(entity, valueBefore, is))).not.toMatch(marker)
    }
  })
})
