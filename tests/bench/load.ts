import { Agent, request } from 'node:http'
import { type CpuTimes, cpuBetween, cpuTimes } from './cpu'

export type Reply = { status: number; body: string; cookies: Map<string, string>; location: string | undefined }
type Send = {
  method?: string
  path: string
  headers?: Record<string, string>
  /** Sent as JSON, or as a form if it is a form. */
  body?: unknown
  cookies?: Map<string, string>
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * Sends one request over a kept connection. It costs less than fetch, so that the load generator takes less of the
 * cores.
 */
export const send = (
  origin: string,
  { method = 'GET', path, headers = {}, body, cookies = new Map() }: Send,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const form = body instanceof URLSearchParams
    const text = body === undefined ? undefined : form ? body.toString() : JSON.stringify(body)
    const outgoing = request(
      origin + path,
      {
        agent,
        method,
        headers: {
          ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
          ...(text === undefined
            ? {}
            : {
                'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
                'content-length': Buffer.byteLength(text),
              }),
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () => {
          const jar = new Map(cookies)
          for (const line of incoming.headers['set-cookie'] ?? []) {
            const [pair = ''] = line.split(';')
            const at = pair.indexOf('=')
            jar.set(pair.slice(0, at), pair.slice(at + 1))
          }
          resolve({
            status: incoming.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            cookies: jar,
            location: incoming.headers.location,
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })

/** `cpu`: milliseconds of processor time per unit, if the machine reports it. */
export type Measured = { perSecond: number; p95: number; cpu: CpuTimes | undefined }

/** Repeats `work` in `width` loops for some seconds. `work` returns how many units it did. */
export async function measure(width: number, seconds: number, work: () => Promise<number>): Promise<Measured> {
  const cpuBefore = cpuTimes()
  const until = performance.now() + seconds * 1000
  const startedAt = performance.now()
  const times: number[] = []
  let units = 0
  const loop = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      const done = await work()
      units += done
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: width }, loop))
  const perSecond = units / ((performance.now() - startedAt) / 1000)
  const cpuAfter = cpuTimes()
  const cpu = cpuBefore && cpuAfter ? cpuBetween(cpuBefore, cpuAfter) : undefined
  if (cpu) for (const whose of Object.keys(cpu) as (keyof CpuTimes)[]) cpu[whose] /= units
  times.sort((a, b) => a - b)
  return {
    perSecond,
    cpu,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
  }
}

/** The median; of an even number of values, the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}
