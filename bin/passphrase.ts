import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'

/** The variable that a pipeline sets: other processes see arguments, but not the environment of another user's process. */
export const passphraseVariable = 'CONFIG_PASSPHRASE'

type Terminal = { input: Readable & { isTTY?: boolean }; output: Pick<Writable, 'write'> }

/** Asks at a terminal, which doesn't show what is typed. Returns nothing where there is no terminal. */
export async function askPassphrase({ input, output }: Terminal): Promise<string | undefined> {
  if (!input.isTTY) return undefined
  output.write('Passphrase: ')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: unseen, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    output.write('\n')
  }
}

/** Returns the passphrase of a file, else that of the environment, else what somebody types; nothing without one. */
export async function passphraseFrom(
  file: string | undefined,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> {
  const given = file === undefined ? process.env[passphraseVariable] : await readFile(file, 'utf8')
  return given?.trim() || (await askPassphrase(terminal))
}
