import { zipSync } from 'fflate'

const bytes = (text: string) => new TextEncoder().encode(text)

type Files = Record<string, string>
/** A workbook with a hidden sheet and one with these rows. */
export const workbook = (sheet: string, more: Files = {}, level: 0 | 9 = 9) => {
  const files: Files = {
    'xl/workbook.xml':
      '<workbook xmlns:r="urn:r"><sheets><sheet name="Скрытый" state="hidden" r:id="a"/><sheet name="Люди" r:id="b"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="b" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])), { level })
}
/** A cell with a text of its own. */
export const inline = (text: string, at = '') => `<c${at ? ` r="${at}"` : ''} t="inlineStr"><is><t>${text}</t></is></c>`
export const row = (...cells: string[]) => `<row>${cells.join('')}</row>`

/** A small workbook in which many cells refer to one long text. */
export const bloated = () =>
  workbook(row(inline('login')) + row('<c t="s"><v>0</v></c>').repeat(2_000), {
    'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(40_000)}</t></si></sst>`,
  })
