import { readFile, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Outcome } from '@/lib/operations/configuration/contract'
import { largestFile } from '@/lib/operations/configuration/format'
import { importText } from '@/lib/operations/configuration/service'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run config:import -- <file> [options]

  --dry-run                 says what would change, and changes nothing
  --prune                   also deletes what the file hasn't got
  --passphrase-file <file>  opens the secrets of a file that was exported with one`

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

runCommand(wanted, async ({ file, prune = false, 'dry-run': dry = false, 'passphrase-file': from }) => {
  if ((await stat(file)).size > largestFile) throw new StartFault(`${file} has more than ${largestFile} bytes`)
  const text = await readFile(file, 'utf8')
  const passphrase = from ? (await readFile(from, 'utf8')).trim() : undefined
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
