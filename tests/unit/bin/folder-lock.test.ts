import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlreadyRunning, lockFolder } from '@/bin/embedded/lock'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a folder has one holder at a time, which describes itself', async () => {
  const lock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toMatchObject({ holder: `process ${process.pid}` })
  lock.say('http://localhost:3000')
  await expect(lockFolder(folder)).rejects.toThrow('already running: http://localhost:3000')
  await lock.release()
  await (await lockFolder(folder)).release()
})

test('one of many at once succeeds', async () => {
  const starts = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder)))
  const won = starts.filter((start) => start.status === 'fulfilled')
  expect(won).toHaveLength(1)
  for (const start of starts) if (start.status === 'rejected') expect(start.reason).toBeInstanceOf(AlreadyRunning)
  await won[0]?.value.release()
})

test('one process takes over the lock of a killed process', async () => {
  const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, 'lock'))}, () => process.send('up'))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await new Promise((resolve) => child.once('message', resolve))
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => lockFolder(folder)))
  const won = starts.filter((start) => start.status === 'fulfilled')
  expect(won).toHaveLength(1)
  await won[0]?.value.release()
})
