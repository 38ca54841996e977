import { generateKeyPairSync } from 'node:crypto'
import type { z } from 'zod'
import type { UploadedFile } from '@/lib/base/contracts/file'
import { parseOrThrow } from '@/lib/base/http/read'
import { AppError } from '@/lib/base/runtime/errors'
import { drawLogo } from '@/lib/site/pictures/service'
import { randomNumbers } from './random'

/** Reads the body of a call as the call does. */
export const parsed = <S extends z.ZodType>({ body }: { body?: S }, value: unknown): z.output<S> => {
  if (!body) throw new TypeError('the call takes no body')
  return parseOrThrow(body, value)
}

/** A public key by which a client may prove itself. */
export const publicKey = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  ...{ kid: 'one', use: 'sig', alg: 'ES256' },
}

const words = ['Ёлка', 'Polaris', '«Север»', 'ß', '中文', 'a/b', '{x}', 'it’s', '#1', 'Заказ №5', '<b>', '🙂', '"q"']

type Counts = Map<string, { done: number; refused: string[] }>

/** Random choices of one case, and how often what it tried was done and refused. */
export function randomValues(seed: number, counts: Counts = new Map()) {
  const random = randomNumbers(seed)
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const text = () => Array.from({ length: 1 + random(3) }, () => one(words)).join(' ')
  return {
    random,
    one,
    text,
    counts,
    long: () => Array.from({ length: 1 + random(4) }, text).join('\n'),
    flag: () => random(2) === 0,
    chance: (of: number) => random(of) === 0,
    few: <T>(list: readonly T[]): T[] => list.filter(() => random(2) === 0),
    order: <T>(list: readonly T[]): T[] =>
      list
        .map((each) => [random(1_000_000), each] as const)
        .sort(([a], [b]) => a - b)
        .map(([, each]) => each),
    /** Does what an administrator does, who may be refused. */
    async act(name: string, work: () => unknown): Promise<void> {
      const count = counts.get(name) ?? { done: 0, refused: [] }
      counts.set(name, count)
      try {
        await work()
        count.done++
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        count.refused.push(
          [error.code, ...(error.data.errorList ?? []).map(({ field, code }) => `${field} ${code}`)].join(': '),
        )
      }
    },
  }
}
export type At = ReturnType<typeof randomValues>

/** Logos and icons as administrators upload them. */
export const pictures = [
  {
    type: 'image/svg+xml' as const,
    content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>'),
  },
  {
    type: 'image/svg+xml' as const,
    content: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>',
    ),
  },
]

/** Returns a picture as an upload stores it. */
export const drawn = ({ type, content }: (typeof pictures)[number]) =>
  drawLogo({ type, bytes: async () => content } as unknown as UploadedFile)
