import { gzipSync } from 'node:zlib'

/** Returns the addresses of a page's scripts, without those that only old browsers load. */
export const scriptsOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<script[^>]+src="([^"]+\.js[^"]*)"[^>]*>/g)].flatMap(([tag, src]) =>
      /nomodule/i.test(tag) || !src ? [] : [src],
    ),
  ),
]

/** The gzipped size of each script, whose name changes with its content. */
const sizes = new Map<string, number>()

/** Returns how many bytes of script a page sends, each file gzipped. `load` returns the body at an address. */
export async function scriptBytes(page: string, load: (path: string) => Promise<string | Buffer>): Promise<number> {
  let bytes = 0
  for (const src of scriptsOf(String(await load(page)))) {
    const size = sizes.get(src) ?? gzipSync(await load(src)).length
    sizes.set(src, size)
    bytes += size
  }
  return bytes
}
