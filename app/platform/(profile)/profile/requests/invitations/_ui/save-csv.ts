/** Saves rows as a CSV file that a spreadsheet opens. */
export async function saveCsv(name: string, rows: readonly (readonly string[])[]) {
  const { csvBeginning, csvOf } = await import('@/lib/kernel/csv')
  const address = URL.createObjectURL(new Blob([csvBeginning, csvOf(rows)], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}
