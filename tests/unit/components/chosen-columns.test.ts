import { expect, test } from 'vitest'
import { isShown } from '@/components/list/chosen-columns'

test('a column is shown by the person’s choice, else by its default; one without a name always', () => {
  const columns = [{}, { name: 'inn' }, { name: 'ogrn', hidden: true as const }]
  const shownNames = (chosen: Record<string, boolean>) =>
    columns.filter((column) => isShown(column, chosen)).map(({ name }) => name)
  expect(shownNames({})).toEqual([undefined, 'inn'])
  expect(shownNames({ inn: false })).toEqual([undefined])
  // a choice of one column says nothing about the others, such as those that a later version adds
  expect(shownNames({ ogrn: true, gone: true })).toEqual([undefined, 'inn', 'ogrn'])
  expect(shownNames({ ogrn: false, inn: true })).toEqual([undefined, 'inn'])
})
