import { readFile, stat, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Outcome } from '@/lib/operations/configuration-file/contract'
import { passphraseFrom, passphraseVariable } from '../passphrase'
import { StartFault } from '../start-fault'
import { type Noun, verb } from './noun'

const passphraseFile = {
  type: 'string',
  describe: `the file with the passphrase; by default it is that of ${passphraseVariable}, or asked for`,
} as const

const exportVerb = verb(
  'export',
  'Prints the configuration as a file',
  (own) =>
    own
      .option('out', { type: 'string', describe: 'where to write it; by default to the standard output' })
      .option('secrets', { type: 'boolean', describe: 'also exports secrets, encrypted with a passphrase' })
      .option('passphrase-file', passphraseFile),
  async ({ out, secrets, 'passphrase-file': file }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { shortestPassphrase } = await import('@/lib/operations/configuration-file/sealing')
    const { configurationText } = await import('@/lib/operations/configuration-file/service')
    await runCommand(async () => {
      const passphrase = secrets || file !== undefined ? ((await passphraseFrom(file)) ?? '') : undefined
      if (passphrase !== undefined && passphrase.length < shortestPassphrase)
        throw new StartFault(`a passphrase needs ${shortestPassphrase} characters at least`)
      const text = await configurationText({ ...(await shellContext()), requestId: 'config:export' }, passphrase)
      if (!out) return void process.stdout.write(text)
      await writeFile(out, text, { mode: passphrase ? 0o600 : 0o644 })
      console.error(
        `Configuration: ${out} (${Buffer.byteLength(text)} bytes, secrets ${passphrase ? 'sealed' : 'left out'})`,
      )
    })
  },
)

const signs = { create: '+', update: '~', delete: '-' }
const words = {
  secretMissing: 'its secret isn’t in the file: enter it in the administration',
  secretNew: 'it has a new secret: platform client secret prints it',
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
  const { largestFile } = await import('@/lib/operations/configuration-file/format')
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

const importVerb = verb(
  'import <file>',
  'Imports a configuration from a file',
  (own) =>
    own
      .positional('file', { type: 'string', demandOption: true, describe: 'the file, or - for the standard input' })
      .option('dry-run', { type: 'boolean', default: false, describe: 'says what would change, and changes nothing' })
      .option('prune', { type: 'boolean', default: false, describe: 'also deletes what the file has not got' })
      .option('passphrase-file', passphraseFile),
  async ({ file, prune, 'dry-run': dry, 'passphrase-file': from }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { importText } = await import('@/lib/operations/configuration-file/service')
    await runCommand(async () => {
      // yargs reads a single hyphen as an empty text
      const text = await textIn(file || '-')
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
  },
)

export const config: Noun = { describe: 'The configuration as a file', verbs: [exportVerb, importVerb] }
