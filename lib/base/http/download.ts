import { create as dispositionOf } from 'content-disposition'
import type { AnswerRule, GivenFile } from '../contracts/file'
import { log } from '../runtime/log'
import { tidyFileName } from './stored-file'

/** Milliseconds after which a client that reads nothing counts as disconnected. */
const stallTimeout = 60_000

type Options = { headers: Headers; requestId: string; call: string; headOnly: boolean; stalledAfter?: number }

const bytesOf = (chunk: Uint8Array | string) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)

/** Sets the headers of a file, so that browsers never run it in one of our pages. */
function setFileHeaders(
  headers: Headers,
  { name, type, size }: GivenFile,
  { disposition, lasting, anywhere }: AnswerRule,
) {
  headers.set('content-type', type.startsWith('text/') ? `${type}; charset=utf-8` : type)
  headers.set('content-disposition', dispositionOf(tidyFileName(name) || undefined, { type: disposition }))
  headers.set('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
  headers.set('x-content-type-options', 'nosniff')
  if (lasting) headers.set('cache-control', 'private, max-age=31536000, immutable')
  if (anywhere) headers.set('cross-origin-resource-policy', 'cross-origin')
  if (size !== undefined) headers.set('content-length', String(size))
}

/**
 * Returns the answer with a file. An error before the first chunk is thrown and answered like any failure; a later one
 * breaks the connection, so that an incomplete file never looks complete. The source is always closed, also if the
 * client disconnects.
 */
export async function fileResponse(
  file: GivenFile,
  rule: AnswerRule,
  { headers, requestId, call, headOnly, stalledAfter = stallTimeout }: Options,
): Promise<Response> {
  const source = file.chunks[Symbol.asyncIterator]()
  const closeSource = async () => void (await source.return?.().catch(() => {}))
  setFileHeaders(headers, file, rule)
  if (headOnly) {
    await closeSource()
    return new Response(null, { headers })
  }
  let next: IteratorResult<Uint8Array | string> | undefined = await source.next()
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer)
        try {
          const { done, value } = next ?? (await source.next())
          next = undefined
          // the client disconnected while the source was read
          if (isCancelled) return
          sent += done ? 0 : bytesOf(value).byteLength
          if (file.size !== undefined && (done ? sent !== file.size : sent > file.size))
            throw new Error(`${call} gives ${sent} bytes in place of ${file.size}`)
          if (done) return controller.close()
          controller.enqueue(bytesOf(value))
          timer = setTimeout(() => {
            controller.error(new Error('nobody takes the answer'))
            void closeSource()
          }, stalledAfter).unref()
        } catch (error) {
          if (isCancelled) return
          log.error({ err: error, requestId, call }, 'an answer broke off')
          await closeSource()
          controller.error(error)
        }
      },
      async cancel() {
        isCancelled = true
        clearTimeout(timer)
        await closeSource()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers })
}
