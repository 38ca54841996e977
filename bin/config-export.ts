import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { shortestPassphrase } from '@/lib/operations/configuration-file/sealing'
import { configurationText } from '@/lib/operations/configuration-file/service'
import { runCommand, shellContext } from './operator'
import { passphraseFrom, passphraseVariable } from './passphrase'
import { StartFault } from './server/start-checks'

const usage = `npm run config:export -- [options]

  --out <file>              where to write it; by default to the standard output
  --secrets                 also exports secrets, sealed with a passphrase; without it they are left out
  --passphrase-file <file>  the same with the passphrase in this file; otherwise it is that of the variable
                            ${passphraseVariable}, or asked for`

function wanted() {
  try {
    const text = { type: 'string' } as const
    return parseArgs({ options: { out: text, secrets: { type: 'boolean' }, 'passphrase-file': text } }).values
  } catch {
    throw new StartFault(usage)
  }
}

runCommand(wanted, async ({ out, secrets, 'passphrase-file': from }) => {
  const sealed = secrets || from !== undefined
  const passphrase = sealed ? ((await passphraseFrom(from)) ?? '') : undefined
  if (passphrase !== undefined && passphrase.length < shortestPassphrase)
    throw new StartFault(`a passphrase needs ${shortestPassphrase} characters at least`)
  const text = await configurationText({ ...(await shellContext()), requestId: 'config:export' }, passphrase)
  if (!out) return void process.stdout.write(text)
  await writeFile(out, text, { mode: passphrase ? 0o600 : 0o644 })
  console.error(
    `Configuration: ${out} (${Buffer.byteLength(text)} bytes, secrets ${passphrase ? 'sealed' : 'left out'})`,
  )
})
