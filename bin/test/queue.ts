import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Said } from '@/tests/setup/turn'

type Waiting = { kind: string; name: string; begin: () => void }

/** What is left of one kind of work: the expected seconds of each piece. */
type Left = Map<string, Map<string, number>>

/** What is left, in words: how many pieces of each kind, the last one by its name. */
export const whatIsLeft = (left: Left): string =>
  [...left]
    .filter(([, pieces]) => pieces.size > 0)
    .map(([kind, pieces]) => (pieces.size > 1 ? `${pieces.size} ${kind}` : `${kind} (${[...pieces.keys()]})`))
    .join(', ') || 'ends'

type Options = {
  /** How many pieces of work go on at once. */
  slots: number
  /** Hears what the processes of the tests say. */
  heard: (said: Said) => void
  /** Is called when a piece begins, and returns what is called when it ends. */
  measured?: (kind: string, name: string) => () => void
}

/**
 * Lets pieces of work of several processes begin, one for each slot. Whenever a slot is free, the kind that has most left
 * to do goes on: so all kinds end at about the same time, and no slot is idle at the end. A piece ends when its process
 * says so or is gone.
 */
export async function openQueue({ slots, heard, measured }: Options) {
  // a name that no killed run has left
  const path = join(tmpdir(), `platform-tests-${randomUUID()}.sock`)
  const left: Left = new Map()
  const waiting: Waiting[] = []
  let busy = 0

  const secondsLeft = (kind: string) => [...(left.get(kind)?.values() ?? [])].reduce((sum, each) => sum + each, 0)
  const expect = (kind: string, pieces: Record<string, number>) => {
    left.set(kind, new Map(Object.entries(pieces)))
  }

  function next() {
    while (busy < slots && waiting.length > 0) {
      const most = waiting.toSorted((one, other) => secondsLeft(other.kind) - secondsLeft(one.kind))[0] as Waiting
      waiting.splice(waiting.indexOf(most), 1)
      busy++
      most.begin()
    }
  }

  /** Waits for a slot; returns what gives it back. */
  function turn(kind: string, name: string): Promise<() => void> {
    return new Promise((resolve) => {
      waiting.push({
        kind,
        name,
        begin() {
          const ended = measured?.(kind, name)
          resolve(() => {
            ended?.()
            left.get(kind)?.delete(name)
            busy--
            next()
          })
        },
      })
      next()
    })
  }

  async function hear(said: Said, socket: Socket) {
    if (!('asks' in said)) {
      if ('plans' in said) expect(said.kind, said.plans)
      return heard(said)
    }
    let isInterrupted = false
    let end: (() => void) | undefined
    socket.once('close', () => {
      isInterrupted = true
      end?.()
    })
    end = await turn(said.kind, said.asks)
    // a process that died while it waited gives its slot back at once
    if (isInterrupted) end()
    else socket.write('begin\n')
  }

  const server = createServer((socket) => {
    socket.on('error', () => {})
    createInterface({ input: socket }).on('line', (line) => void hear(JSON.parse(line), socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    path,
    left,
    expect,
    /** Runs a piece of this process's own work when it is its turn. */
    async run<T>(kind: string, name: string, work: () => Promise<T>): Promise<T> {
      const end = await turn(kind, name)
      try {
        return await work()
      } finally {
        end()
      }
    },
    async close() {
      server.close()
      await rm(path, { force: true })
    },
  }
}
