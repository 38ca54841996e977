import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { changed, one, state, text, useDemoConfiguration } from '../../factories/configuration'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

// each test starts processes, and a passphrase takes its time
vi.setConfig({ testTimeout: 60_000 })
useTestDatabase()
useDemoConfiguration()

const folder = mkdtempSync(join(tmpdir(), 'configuration-'))
afterAll(() => rmSync(folder, { recursive: true }))
const place = (name: string) => join(folder, name)
const written = (name: string, content: string) => {
  writeFileSync(place(name), content)
  return place(name)
}
const passphrase = 'a passphrase of the test'
const secrets = /demo-secret|whsec_|a passphrase of the test/

type Ran = { status: number | null; out: string; faults: string }

/** Runs a command as the shell does, with what it reads. */
function run(
  verb: 'export' | 'import',
  args: string[],
  { input = '', env = {} }: { input?: string; env?: object } = {},
) {
  const child = spawn(process.execPath, [bundled('bin/platform.ts'), 'config', verb, ...args], {
    env: { ...process.env, CONFIG_PASSPHRASE: '', ...env } as NodeJS.ProcessEnv,
  })
  const ran: Ran = { status: null, out: '', faults: '' }
  child.stdout.on('data', (chunk) => {
    ran.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    ran.faults += chunk
  })
  // a command that refuses before it reads closes its end
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ ...ran, status }))
  })
}
const titled = (title: string) =>
  changed((content) => {
    one(content.banners, 'code', 'maintenance-ru').title = title
  })
const title = async () => one(JSON.parse((await run('export', [])).out).content.banners, 'code', 'maintenance-ru').title

describe('config:export', () => {
  test('writes to the standard output or into a file, the same bytes', async () => {
    const printed = await run('export', [])
    expect(printed).toEqual({ status: 0, out: text, faults: '' })
    const filed = await run('export', ['--out', place('plain.json')])
    expect(filed).toMatchObject({ status: 0, out: '' })
    expect(filed.faults).toContain('secrets left out')
    expect(readFileSync(place('plain.json'), 'utf8')).toBe(text)
  })

  test('seals secrets with the passphrase of the environment or of a file, for the owner alone', async () => {
    const ways: [string[], object][] = [
      [['--secrets'], { CONFIG_PASSPHRASE: passphrase }],
      [['--passphrase-file', written('passphrase', `${passphrase}\n`)], {}],
    ]
    for (const [args, env] of ways) {
      const ran = await run('export', [...args, '--out', place('sealed.json')], { env })
      expect(ran).toMatchObject({ status: 0, out: '' })
      expect(ran.faults).toContain('secrets sealed')
      const sealed = readFileSync(place('sealed.json'), 'utf8')
      expect(`${sealed}${ran.faults}`).not.toMatch(secrets)
      expect(JSON.parse(sealed).secrets).toMatchObject({ kdf: 'scrypt' })
      expect(statSync(place('sealed.json')).mode & 0o777).toBe(0o600)
    }
    const rows = await db().select().from(history)
    expect(rows.filter(({ field }) => field === 'secretsExported').map(({ requestId }) => requestId)).toEqual([
      'config:export',
      'config:export',
    ])
  })

  const wrong: [string, string[], object, string, status?: number][] = [
    ['a short passphrase', ['--secrets'], { CONFIG_PASSPHRASE: 'short' }, '12 characters'],
    ['no passphrase and nobody to ask', ['--secrets'], {}, '12 characters'],
    ['an unknown option', ['--all'], {}, 'platform config export', 2],
    ['an argument', ['file.json'], {}, 'platform config export', 2],
    ['no database', [], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, '127.0.0.1:1'],
  ]
  test.each(eachFifth(wrong))('refuses %s', async (_, args, env, words, status = 1) => {
    const ran = await run('export', args, { env })
    expect(ran).toMatchObject({ status, out: '' })
    expect(ran.faults).toContain(words)
  })
})

describe('config:import', () => {
  test('shows by a dry run what it then does, from a file or from the standard input', async () => {
    const file = written('changed.json', titled('Работы в среду'))
    const before = await state()
    const dry = await run('import', [file, '--dry-run'])
    expect(dry).toMatchObject({ status: 0, faults: '' })
    expect(dry.out).toMatch(/~ banners\[maintenance-ru\]\n {4}title: ".+" → "Работы в среду"/)
    expect(dry.out).toContain('Dry run, nothing is changed: 0 created, 1 changed, 0 deleted.')
    expect(await state()).toEqual(before)

    const done = await run('import', ['-'], { input: titled('Работы в среду') })
    expect(done).toMatchObject({ status: 0, faults: '' })
    expect(done.out).toContain('Imported: 0 created, 1 changed, 0 deleted.')
    expect(await title()).toBe('Работы в среду')
    const again = await run('import', [file])
    expect(again).toEqual({ status: 0, out: 'Nothing differs.\n', faults: '' })
    const rows = await db().select().from(history)
    expect(rows.filter(({ field, entity }) => entity === 'banners' && field === 'title').at(-1)?.requestId).toBe(
      'config:import',
    )
  })

  test('opens secrets by the environment or a file, and shows none', async () => {
    const env = { CONFIG_PASSPHRASE: passphrase }
    const sealed = (await run('export', ['--secrets'], { env })).out
    const other = JSON.parse(sealed)
    one(other.content.banners, 'code', 'maintenance-ru').title = 'Работы в четверг'
    const file = written('sealed-changed.json', JSON.stringify(other))
    const dry = await run('import', [file, '--dry-run'], { env })
    expect(dry).toMatchObject({ status: 0, faults: '' })
    expect(dry.out).toContain('1 changed')
    const ran = await run('import', [file, '--passphrase-file', written('passphrase', passphrase)])
    expect(ran).toMatchObject({ status: 0, faults: '' })
    expect(`${dry.out}${ran.out}`).not.toMatch(secrets)
    expect(await title()).toBe('Работы в четверг')
  })

  test('prunes only if it is told to', async () => {
    const without = changed((content) => {
      content.banners = content.banners.filter(({ code }: { code: string }) => code === 'maintenance-ru')
      for (const domain of content.domains) for (const locale of domain.locales) locale.banners = []
    })
    const file = written('pruned.json', without)
    expect((await run('import', [file, '--dry-run'])).out).toContain('0 deleted')
    expect((await run('import', [file, '--dry-run', '--prune'])).out).toMatch(/- banners\[/)
  })

  const wrong: [string, () => string[], object, string, status?: number][] = [
    ['no file', () => [], {}, 'platform config import', 2],
    ['two files', () => ['a', 'b'], {}, 'platform config import', 2],
    ['an unknown option', () => ['a', '--force'], {}, 'platform config import', 2],
    ['a file that isn’t there', () => [place('none.json')], {}, 'none.json'],
    ['what isn’t JSON', () => [written('a', 'locales: []')], {}, 'file: This is not JSON'],
    ['JSON of another program', () => [written('b', '{}')], {}, 'format: This is not a configuration file'],
    [
      'an older version',
      () => [
        written(
          'c',
          changed((_, whole) => {
            whole.version = 1
          }),
        ),
      ],
      {},
      'version: The file has the older version 1, and this platform reads version 2',
    ],
    [
      'an unknown key',
      () => [
        written(
          'd',
          changed((content) => {
            one(content.banners, 'code', 'maintenance-ru').colour = 'red'
          }),
        ),
      ],
      {},
      'banners[maintenance-ru].colour: ',
    ],
    [
      'a reference to nothing',
      () => [
        written(
          'e',
          changed((content) => {
            content.banners[0].title = 'Новый'
            one(content.roles, 'role', 'Кладовщик').methods.push('warehouse: nothing')
          }),
        ),
      ],
      {},
      'There is no warehouse: nothing',
    ],
  ]
  test.each(eachFifth(wrong))('refuses %s and changes nothing', async (_, args, env, words, status = 1) => {
    const before = await state()
    const ran = await run('import', args(), { env })
    expect(ran).toMatchObject({ status, out: '' })
    expect(ran.faults).toContain(words)
    expect(await state()).toEqual(before)
  })

  test('refuses a sealed file without its passphrase, with another one and with a changed secret', async () => {
    const sealed = (await run('export', ['--secrets'], { env: { CONFIG_PASSPHRASE: passphrase } })).out
    const file = written('sealed-wrong.json', sealed)
    const moved = JSON.parse(sealed)
    const [a, b] = moved.content.clients.filter(({ secret }: { secret: string | null }) => secret)
    ;[a.secret, b.secret] = [b.secret, a.secret]
    const before = await state()
    const ways: [string, object, string][] = [
      [file, {}, 'passphrase: Enter the passphrase of the file'],
      [file, { CONFIG_PASSPHRASE: 'another one, not that' }, 'passphrase: The passphrase is wrong'],
      [written('moved.json', JSON.stringify(moved)), { CONFIG_PASSPHRASE: passphrase }, 'The secret was changed'],
    ]
    for (const [given, env, words] of ways) {
      const ran = await run('import', [given], { env })
      expect(ran).toMatchObject({ status: 1, out: '' })
      expect(ran.faults).toContain(words)
      expect(ran.faults).not.toMatch(/another one|demo-secret/)
    }
    expect(await state()).toEqual(before)
  })
})
