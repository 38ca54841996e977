import { describe, expect, test } from 'vitest'
import { entitiesIn } from '@/bin/generate/entities'
import { pathOf, placeOf } from '@/bin/generate/screens'
import { type MenuGroup, menuGroups } from '@/lib/base/navigation/menu-groups'

describe('the generator', () => {
  test('reads each entity of a file, on one line or several', () => {
    const text = [
      "export const oneEntity = defineEntity('one-thing', { name: text('x') })",
      'export const twoEntity = defineEntity(',
      "  'two',",
      '  fields,',
      ')',
    ].join('\n')
    expect(entitiesIn('entity.ts', text)).toEqual([
      { constant: 'oneEntity', name: 'one-thing' },
      { constant: 'twoEntity', name: 'two' },
    ])
  })

  test.each([
    ['no entity', "import { text } from '@/lib/base/audit/entity'"],
    ['another type', "export const thing: Entity = defineEntity('things', {})"],
    ['a type argument', "export const thing = defineEntity<Fields>('things', {})"],
    ['a name that is a constant', 'export const thing = defineEntity(name, {})'],
    ['one of two', "export const one = defineEntity('one', {})\nconst two = defineEntity('two', {})"],
  ])('refuses a file with %s, which no list would contain', (_, text) => {
    expect(() => entitiesIn('lib/people/things/entity.ts', text)).toThrow('lib/people/things/entity.ts')
  })

  test('derives a path from the folders of a screen', () => {
    expect(pathOf('app/platform/(auth)/login/password/[id]/screen.ts')).toBe('/platform/login/password/{id}')
    expect(pathOf('app/platform/(my-group)/404/screen.ts')).toBe('/platform/404')
  })

  test('keeps each page within its group of the menu, and refuses a place outside of it', () => {
    const at = (place: number, menu: MenuGroup = menuGroups[0]) => placeOf({ name: 'Odd', menu, place, icon: 'House' })
    expect(at(999)).toBeLessThan(at(0, menuGroups[1]))
    for (const place of [1000, 5000, -1, 1.5, Number.NaN])
      expect(() => at(place), String(place)).toThrow('Odd: its place')
  })

  test.each(['[...slug]', '[[...slug]]', '@menu', '(.)photo'])('refuses a screen in a folder %s', (folder) => {
    expect(() => pathOf(`app/platform/${folder}/screen.ts`)).toThrow(folder)
  })
})
