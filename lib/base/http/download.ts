import { create as dispositionOf } from 'content-disposition'
import type { AnswerRule, GivenFile } from '../contracts/file'
import { log } from '../runtime/log'
import { tidyFileName } from './stored-file'

/** Milliseconds after which a client that reads nothing counts as gone. */
const patience = 60_000

type Options = { headers: Headers; requestId: string; call: string; headOnly: boolean; stalledAfter?: number }

const bytesOf = (chunk: Uint8Array | string) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)

/** Sets the headers of a file. Browsers never run it in one of our pages, and never replace it with an older copy. */
function describe(headers: Headers, { name, type, size }: GivenFile, { disposition, lasting, anywhere }: AnswerRule) {
  headers.set('content-type', type.startsWith('text/') ? `${type}; charset=utf-8` : type)
  headers.set('content-disposition', dispositionOf(tidyFileName(name) || undefined, { type: disposition }))
  headers.set('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
  headers.set('x-content-type-options', 'nosniff')
  if (lasting) headers.set('cache-control', 'private, max-age=31536000, immutable')
  if (anywhere) headers.set('cross-origin-resource-policy', 'cross-origin')
  // Next drops our Content-Length because it may compress; the server process writes it when nothing is compressed
  if (size !== undefined) headers.set('x-platform-length', String(size))
}

/**
 * Returns the answer with a file. An error before the first chunk is thrown and answered like any failure; a later one
 * breaks the connection, so that an incomplete file never looks complete. The source is always closed, whoever ended
 * the answer.
 */
export async function fileResponse(
  file: GivenFile,
  rule: AnswerRule,
  { headers, requestId, call, headOnly, stalledAfter = patience }: Options,
): Promise<Response> {
  const source = file.chunks[Symbol.asyncIterator]()
  const end = async () => void (await source.return?.().catch(() => {}))
  describe(headers, file, rule)
  if (headOnly) {
    await end()
    return new Response(null, { headers })
  }
  let next: IteratorResult<Uint8Array | string> | undefined = await source.next()
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  let gone = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer)
        try {
          const { done, value } = next ?? (await source.next())
          next = undefined
          // the client left while the source was read
          if (gone) return
          sent += done ? 0 : bytesOf(value).byteLength
          if (file.size !== undefined && (done ? sent !== file.size : sent > file.size))
            throw new Error(`${call} gives ${sent} bytes in place of ${file.size}`)
          if (done) return controller.close()
          controller.enqueue(bytesOf(value))
          timer = setTimeout(() => {
            controller.error(new Error('nobody takes the answer'))
            void end()
          }, stalledAfter).unref()
        } catch (error) {
          if (gone) return
          log.error({ err: error, requestId, call }, 'an answer broke off')
          await end()
          controller.error(error)
        }
      },
      async cancel() {
        gone = true
        clearTimeout(timer)
        await end()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers })
}
