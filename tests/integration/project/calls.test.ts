import { describe, expect, test } from 'vitest'
import { route } from '@/lib/request/route'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { createDeviceType, deleteDeviceType, listDeviceTypes } from '@/lib/site/device-types/contract'
import { contracts } from '@/lib/wiring/contracts'
import { faultsOf, gapsOf, type Proof, provenIn } from '../../factories/proofs'
import { expectRecords } from '../../factories/recording'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const files = import.meta.glob('../calls/*.calls.ts', { eager: true, import: 'default' }) as Record<string, Proof[]>
const proofs = Object.values(files).flat()
const ofCalls = proofs.flatMap((each) => (each.kind === 'recording' ? [] : [each]))
const isOfArea = ({ access }: (typeof contracts)[number]) => typeof access === 'object'

test('every call has exactly one proof', () => {
  expect(ofCalls.map(({ contract }) => contract.name).toSorted()).toEqual(contracts.map(({ name }) => name).toSorted())
})

/**
 * Calls of areas that a whole proof can't show, beside those that answer a file: one answers what the code states
 * whatever is prepared, one counts everybody's sessions, one tells what saving would do, two look at what is outside, the
 * proofs of pictures send a file, those of the configuration concern everything, and a trial is a sign-in in a browser.
 */
const shownElsewhere = [
  'listStyleTemplates',
  'patchApplicationIcon',
  'deleteApplicationIcon',
  'patchDomainLogo',
  'deleteDomainLogo',
  'countLicenseSessions',
  'readWhitelistEnd',
  'refreshMonitoring',
  'refreshVersions',
  'exportSealedConfiguration',
  'compareConfiguration',
  'importConfiguration',
  'startClientTrial',
]

test('a call of an administration area has a whole proof', () => {
  const elsewhere = ofCalls.filter(
    ({ kind, contract }) => kind === 'elsewhere' && isOfArea(contract) && !contract.returnsFile,
  )
  expect(elsewhere.map(({ contract }) => contract.name).toSorted()).toEqual(shownElsewhere.toSorted())
})

// all proofs are made on one platform: some take what ends others, such as the ways in of all administrators but one
describe('a call', { shuffle: false }, () => {
  describe.each(ofCalls.map((each) => [each.contract.name, each] as const))('%s', (_, each) => {
    if (each.kind === 'whole')
      test('does what its contract says, and fails with its codes', async () => {
        expect(await faultsOf(each)).toEqual([])
      })
    else
      test('is proven by the tests that its proof names', () => {
        expect(gapsOf(each)).toEqual([])
      })
  })
})

const recordings = proofs.flatMap(
  (each): [string, { makes: string[]; prepare: () => Promise<() => Promise<unknown>> }][] => {
    if (each.kind === 'recording') return [[each.name, each]]
    return each.kind === 'elsewhere' && 'prepare' in each ? [[each.contract.name, each]] : []
  },
)
test.each(recordings)('%s is recorded under its entities, without a secret', async (_, { makes, prepare }) => {
  await expectRecords(makes, await prepare())
})

describe('the check of a proof', () => {
  type Whole = Extract<Proof, { kind: 'whole' }>
  const like = (name: string): Whole => {
    const proof = proofs.find((each) => each.kind === 'whole' && each.contract.name === name)
    if (proof?.kind !== 'whole') throw new Error(`${name} has no whole proof`)
    return proof
  }
  /** Returns the proof of a creation with other parts. */
  const changed = (parts: object) => ({ ...like('createDeviceType'), ...parts }) as Whole
  const answering = (contract: Parameters<typeof route>[0], answer: () => unknown) =>
    route(contract, async () => answer() as never)
  const withText = (text: string) => expect.arrayContaining([expect.stringContaining(text)])

  test('finds a verb that answers and stores nothing', async () => {
    const made = { id: crypto.randomUUID(), code: 'x' }
    const faults = await faultsOf(
      like('createDeviceType'),
      answering(createDeviceType, () => made),
    )
    expect(faults).toEqual(withText('no GET shows what it did'))
    expect(faults).toEqual(withText('it records something else'))
    expect(faults).toEqual(withText('errorUnique: it answers 200'))
    expect(
      await faultsOf(
        like('deleteDeviceType'),
        answering(deleteDeviceType, () => ({})),
      ),
    ).toEqual(withText('no GET shows what it did'))
  })

  test('finds a list that is always the same', async () => {
    const answer = { devicesTypes: [], meta: { page: 1, perPage: 10, pages: 0, total: 0 } }
    const empty = await faultsOf(
      like('listDeviceTypes'),
      answering(listDeviceTypes, () => answer),
    )
    expect(empty).toEqual(withText('it does not show what is there'))
    const careless = { ...like('listDeviceTypes'), shows: () => ({}) } as Proof
    expect(await faultsOf(careless)).toEqual(['what it should show, it shows of anything'])
  })

  test('finds an error without a case, and a case without an error', () => {
    expect(gapsOf(changed({ errors: {} }))).toEqual(['no case of errorUnique'])
    const { errors } = like('createDeviceType')
    expect(gapsOf(changed({ errors: { ...errors, teapot: { input: () => ({}) } } }))).toEqual([
      'teapot is no code of its contract',
    ])
  })

  test('finds a refusal with another code, or none', async () => {
    const { errors } = like('createDeviceType')
    const otherField = changed({ errors: { errorUnique: { ...errors?.errorUnique, field: 'name' } } })
    expect(await faultsOf(otherField)).toEqual([expect.stringContaining('errorUnique: it answers 400')])
    const duplicate = changed({
      errors: { errorUnique: { field: 'code', input: () => ({ body: { name: 'Касса' } }) } },
    })
    expect(await faultsOf(duplicate)).toEqual([
      expect.stringContaining('errorUnique: it answers 200'),
      'errorUnique: it is refused, and records something',
    ])
  })

  test('reads by a GET before and after the change', async () => {
    expect(await faultsOf(changed({ look: async () => [] }))).toEqual(['it looks by no GET'])
    expect(gapsOf(changed({ look: undefined }))).toEqual(['it does not look at what the call changes'])
    expect(gapsOf(changed({ makes: undefined }))).toEqual(['it does not say what the call records'])
    expect(await faultsOf(changed({ shows: () => [] }))).toEqual(withText('no GET shows what it did'))
    const { look } = changed({}) as { look: (...given: unknown[]) => Promise<object[]> }
    const same = async (...given: unknown[]) => (await look(...given)) && [{ always: true }]
    expect(await faultsOf(changed({ look: same, shows: () => [{ always: true }] }))).toEqual([
      'what it should change was so before',
    ])
  })

  test('finds named tests that don’t exist or don’t make the call', () => {
    const gaps = gapsOf(provenIn(createDeviceType, ['nowhere.test.ts', 'sign-in/sign-in.test.ts']))
    expect(gaps).toEqual([
      'it does not say what the call records',
      'there is no tests/integration/nowhere.test.ts',
      'tests/integration/sign-in/sign-in.test.ts does not call createDeviceType',
      'none of its tests names errorUnique',
    ])
  })

  test('compares whole codes: a longer code doesn’t count', () => {
    const beginning = { ...authCode, errors: { errorCodeExp: 400 } }
    const statement = { unrecorded: 'as authCode' }
    expect(gapsOf(provenIn(beginning, ['sign-in/codes.test.ts'], statement))).toEqual([
      'none of its tests names errorCodeExp',
    ])
    const whole = { ...authCode, errors: { errorCodeExpired: 400 } }
    expect(gapsOf(provenIn(whole, ['sign-in/codes.test.ts'], statement))).toEqual([])
  })
})
