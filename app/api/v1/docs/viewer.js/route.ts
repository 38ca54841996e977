import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

let script: Promise<Uint8Array<ArrayBuffer>> | undefined

/** Returns the viewer's script from its package. */
export async function GET() {
  script ??= readFile(join(process.cwd(), 'node_modules/@scalar/api-reference/dist/browser/standalone.js')).then(
    (bytes) => new Uint8Array(bytes),
  )
  return new Response(await script, {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
