import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { shortestPassphrase } from '@/lib/operations/configuration/sealing'
import { configurationText } from '@/lib/operations/configuration/service'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run config:export -- [options]

  --out <file>              where to write it; by default to the standard output
  --passphrase-file <file>  also exports secrets, sealed with the passphrase in this file; without it they are left out`

function wanted() {
  try {
    const text = { type: 'string' } as const
    return parseArgs({ options: { out: text, 'passphrase-file': text } }).values
  } catch {
    throw new StartFault(usage)
  }
}

runCommand(wanted, async ({ out, 'passphrase-file': from }) => {
  const passphrase = from ? (await readFile(from, 'utf8')).trim() : undefined
  if (passphrase !== undefined && passphrase.length < shortestPassphrase)
    throw new StartFault(`a passphrase needs ${shortestPassphrase} characters at least`)
  const text = await configurationText({ ...(await shellContext()), requestId: 'config:export' }, passphrase)
  if (!out) return void process.stdout.write(text)
  await writeFile(out, text, { mode: passphrase ? 0o600 : 0o644 })
  console.error(
    `Configuration: ${out} (${Buffer.byteLength(text)} bytes, secrets ${passphrase ? 'sealed' : 'left out'})`,
  )
})
