import { beforeAll, expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { AppError } from '@/lib/base/runtime/errors'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { type Loose, state } from '../../factories/configuration'
import { configurationRows } from '../../factories/configuration-rows'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { administered, passing } from '../../factories/random-instance'
import { useTestDatabase } from '../../setup/database'
import { rounds, seedOf } from '../../setup/scope'

useTestDatabase()

const random = caseNumbers(20_261_125)
const one = <T>(list: readonly T[]): T => list[random(list.length)] as T

let text = ''
beforeAll(async () => {
  await administered(seedOf(3))
  text = await passing(async () => {
    await administered(seedOf(4), { raising: true })
    return configurationText(await shellContext())
  })
}, 300_000)

type Place = { of: Loose; key: string | number; path: string }
/** Every value of a file with where it stands. */
const placesOf = (value: Loose, path = ''): Place[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.keys(value).flatMap((key) => [
        { of: value, key: Array.isArray(value) ? Number(key) : key, path: `${path}.${key}` },
        ...placesOf(value[key], `${path}.${key}`),
      ])

const hostile = [
  null,
  true,
  -1,
  2 ** 40,
  '',
  ' ',
  'nothing',
  'a\u0000b',
  '\ud800',
  'x'.repeat(300),
  [],
  {},
  [1],
  { a: 1 },
]
const hostileTexts = [
  'administrator',
  'users.write',
  '(base)',
  'javascript:alert(1)',
  '0.0.0.0/0',
  'https://a@b.example/',
]

/** Damages a file as a careless or hostile hand does; says how. */
function damaged(): [string, string] {
  const file = JSON.parse(text)
  const { content } = file
  const sections = Object.keys(content).filter((section) => content[section].length > 0)
  const [section, other] = [one(sections), one(sections)]
  const object = one(content[section] as Loose[])
  const place = one(placesOf(object))
  const same = () => placesOf(content).filter(({ of, key }) => typeof of[key] === 'string')
  const ways: [string, () => void][] = [
    [
      'a member left out',
      () => (Array.isArray(place.of) ? place.of.splice(Number(place.key), 1) : delete place.of[place.key]),
    ],
    [
      'another value',
      () => {
        place.of[place.key] = one(hostile)
      },
    ],
    [
      'another text',
      () => {
        const target = one(same())
        target.of[target.key] = one(hostileTexts)
      },
    ],
    [
      'the text of another place',
      () => {
        const [from, to] = [one(same()), one(same())]
        to.of[to.key] = from.of[from.key]
      },
    ],
    ['an object left out', () => content[section].splice(content[section].indexOf(object), 1)],
    ['an object in another section', () => content[other].push(object)],
    ['an object twice', () => content[section].push({ ...object })],
    ['a section left out', () => delete content[section]],
    [
      'an unknown member',
      () => {
        object[one(['id', 'createdAt', 'constructor', 'toString'])] = one(hostile)
      },
    ],
    [
      'a switch turned',
      () => {
        const flags = placesOf(content).filter(({ of, key }) => typeof of[key] === 'boolean')
        const target = one(flags)
        target.of[target.key] = !target.of[target.key]
      },
    ],
  ]
  const [name, change] = one(ways)
  const at = `${name} in ${section}${place.path}`
  change()
  // a second one, unless its section is gone
  if (random(2) === 0 && content[section] && content[other]) one(ways)[1]()
  const damage = JSON.stringify(file)
  return random(20) === 0 ? [`${at}, cut off`, damage.slice(0, random(damage.length))] : [at, damage]
}

test('a damaged file changes everything that it says or nothing', async () => {
  const whole = async () => [await state(), await configurationRows()]
  let before = await whole()
  const outcomes = { refused: 0, imported: 0 }
  for (const _ of eachRound(40, () => outcomes.imported > 0 && outcomes.refused > rounds(40) / 3)) {
    const [how, given] = damaged()
    const prune = random(2) === 0
    const work = importText(await shellContext(), { text: given, prune, dry: false })
    const refusal = await work.then(
      () => null,
      (error: unknown) => error,
    )
    if (refusal === null) {
      outcomes.imported++
      const again = await importText(await shellContext(), { text: given, prune, dry: false })
      expect([how, again.changes]).toEqual([how, []])
      before = await whole()
      continue
    }
    outcomes.refused++
    expect(refusal, how).toBeInstanceOf(AppError)
    const { status, code, data } = refusal as AppError
    expect({ how, status, code }).toEqual({ how, status: 400, code: 'configurationRefused' })
    expect(data.errorList?.length, how).toBeGreaterThan(0)
    expect([how, await whole()]).toEqual([how, before])
  }
  expect(outcomes.refused).toBeGreaterThan(shareOf(40) / 3)
  expect(outcomes.imported).toBeGreaterThan(0)
}, 600_000)
