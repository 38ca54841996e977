import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { askPassphrase, passphraseFrom } from '@/bin/passphrase'

const terminal = (isTTY: boolean) => {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} }), new PassThrough()]
  let printed = ''
  output.on('data', (chunk) => {
    printed += chunk
  })
  return { input, output, printed: () => printed }
}

afterEach(() => vi.unstubAllEnvs())

test('a passphrase is asked for and not shown', async () => {
  const { input, output, printed } = terminal(true)
  const asked = askPassphrase({ input, output })
  input.write('a long passphrase\r')
  expect(await asked).toBe('a long passphrase')
  expect(printed()).toBe('Passphrase: \n')
})

test('where nobody can be asked there is none', async () => {
  const { input, output, printed } = terminal(false)
  vi.stubEnv('CONFIG_PASSPHRASE', '')
  expect(await passphraseFrom(undefined, { input, output })).toBeUndefined()
  expect(printed()).toBe('')
})

test('that of the environment comes before asking', async () => {
  const { input, output, printed } = terminal(true)
  vi.stubEnv('CONFIG_PASSPHRASE', 'of the environment')
  expect(await passphraseFrom(undefined, { input, output })).toBe('of the environment')
  expect(printed()).toBe('')
})
