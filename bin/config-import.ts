import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import type { Outcome } from '@/lib/operations/configuration-file/contract'
import { largestFile } from '@/lib/operations/configuration-file/format'
import { importText } from '@/lib/operations/configuration-file/service'
import { runCommand, shellContext } from './operator'
import { passphraseFrom, passphraseVariable } from './passphrase'
import { StartFault } from './server/start-checks'

const usage = `npm run config:import -- <file> [options]

  <file>                    the file, or - for the standard input
  --dry-run                 says what would change, and changes nothing
  --prune                   also deletes what the file hasn't got
  --passphrase-file <file>  has the passphrase of a file with secrets; otherwise it is that of the variable
                            ${passphraseVariable}, or asked for`

function wanted() {
  try {
    const options = {
      'dry-run': { type: 'boolean' },
      prune: { type: 'boolean' },
      'passphrase-file': { type: 'string' },
    } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [file, ...more] = positionals
    if (file && more.length === 0) return { ...values, file }
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

const signs = { create: '+', update: '~', delete: '-' }
const words = {
  secretMissing: 'its secret isn’t in the file: enter it in the administration',
  secretNew: 'it has a new secret: npm run client:secret prints it',
  addressHidden: 'it is switched off and has an address without the values of its parameters: enter the whole address',
  webhookOff: 'it is switched off and has a new secret: hand it to the receiver, and switch it on',
  addressMasked: 'parts of its technical addresses are hidden in the file: enter the whole addresses',
  actorMissing: 'scheduled runs wait until a person saves or starts it',
}
const short = (value: string | null) => {
  const line = JSON.stringify(value ?? '')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

function printed({ changes, notes }: Outcome): string[] {
  return [
    ...changes.flatMap(({ section, key, kind, fields }) => [
      `${signs[kind]} ${section}[${key}]`,
      ...(kind === 'update'
        ? fields.map(({ field, before, after }) => `    ${field}: ${short(before)} → ${short(after)}`)
        : []),
    ]),
    ...notes.map(({ section, key, code }) => `! ${section}[${key}]: ${words[code]}`),
  ]
}

/** Returns the text of a file or of the standard input. Throws StartFault for one that is too large or can't be read. */
async function textIn(file: string): Promise<string> {
  const tooLarge = new StartFault(`${file} has more than ${largestFile} bytes`)
  if (file === '-') {
    const text = await buffer(process.stdin)
    if (text.byteLength > largestFile) throw tooLarge
    return text.toString('utf8')
  }
  try {
    if ((await stat(file)).size > largestFile) throw tooLarge
    return await readFile(file, 'utf8')
  } catch (error) {
    throw error instanceof StartFault ? error : new StartFault(`${file} can't be read: ${(error as Error).message}`)
  }
}

/** Whether the file says that its secrets are sealed: only then a passphrase is asked for. */
function hasSecrets(text: string): boolean {
  try {
    return typeof JSON.parse(text)?.secrets === 'object'
  } catch {
    return false
  }
}

runCommand(wanted, async ({ file, prune = false, 'dry-run': dry = false, 'passphrase-file': from }) => {
  const text = await textIn(file)
  const passphrase = from !== undefined || hasSecrets(text) ? await passphraseFrom(from) : undefined
  const ctx = { ...(await shellContext()), requestId: 'config:import' }
  const outcome = await importText(ctx, { text, passphrase, prune, dry })
  for (const line of printed(outcome)) console.log(line)
  const count = (kind: string) => outcome.changes.filter((change) => change.kind === kind).length
  const numbers = `${count('create')} created, ${count('update')} changed, ${count('delete')} deleted`
  console.log(
    outcome.changes.length === 0
      ? 'Nothing differs.'
      : dry
        ? `Dry run, nothing is changed: ${numbers}.`
        : `Imported: ${numbers}.`,
  )
})
