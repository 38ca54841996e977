import { saveFile } from '@/components/ui/save-file'

/** Saves rows as a CSV file that a spreadsheet opens. */
export async function saveCsv(name: string, rows: readonly (readonly string[])[]) {
  const { csvBeginning, csvOf } = await import('@/lib/base/tables/csv')
  saveFile(new Blob([csvBeginning, csvOf(rows)], { type: 'text/csv' }), name)
}
