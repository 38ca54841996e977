import { expect, test } from 'vitest'
import { isShown, keptColumns } from '@/components/list/chosen-columns'

test('a column is shown by its default until somebody chooses, then by the choice alone; one without a name always', () => {
  const columns = [{}, { name: 'inn' }, { name: 'ogrn', hidden: true as const }]
  const shown = (kept?: string) => columns.filter((column) => isShown(column, kept)).map(({ name }) => name)
  expect(shown()).toEqual([undefined, 'inn'])
  expect(shown('')).toEqual([undefined])
  expect(shown('ogrn.gone')).toEqual([undefined, 'ogrn'])
  const choice = [
    { name: 'inn', label: 'ИНН', shown: false },
    { name: 'ogrn', label: 'ОГРН', shown: true },
  ]
  expect(shown(keptColumns(choice))).toEqual([undefined, 'ogrn'])
})
