import type { IncomingMessage, ServerResponse } from 'node:http'

/** The attribute of the scripts that a page of forms keeps. */
const ours = 'data-page-script'

/** Text and attributes of a page have no `<` and no `>`: React writes them as references. */
const script = /<script\b([^>]*)>[\s\S]*?<\/script>/g
/** What the page's script shows later. Text browsers show what a template holds, and nothing of a script. */
const later = /<template (data-offline\b[^>]*)>([\s\S]*?)<\/template>/g
/** What has an effect with a script only: text browsers show it in spite of `hidden`. */
const hidden = /<(button|p)\b[^>]*\shidden=""[^>]*>[\s\S]*?<\/\1>/g
const scriptHint = /<link\b(?=[^>]*\brel="(?:module)?preload")(?=[^>]*\bas="script")[^>]*>/g

/**
 * Returns a page without Next's client: its scripts, the data that they would need, and the hints to load them. A page
 * of forms works without them.
 */
export function withoutClient(html: string): string {
  // no script runs without it, and these need none to be read
  const nonce = /\snonce="[^"]*"/.exec(html)?.[0] ?? ''
  return html
    .replace(script, (whole, attributes: string) => (attributes.includes(ours) ? whole : ''))
    .replace(scriptHint, '')
    .replace(later, `<script type="text/html" ${ours} $1>$2</script>`)
    .replace(hidden, (whole) => `<script type="text/html"${nonce} ${ours} data-hidden>${whole}</script>`)
}

/**
 * Makes `res` wait for the whole page, and send it without Next's client. A failure (5xx) stays as it is: Next's page for
 * it needs the client.
 */
export function leaveClientOut(res: ServerResponse) {
  const { write, end, flushHeaders } = res
  const chunks: Buffer[] = []
  const take = (given: unknown[]) => {
    const [chunk, encoding] = given
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    return given.find((each) => typeof each === 'function') as (() => void) | undefined
  }
  Object.assign(res, {
    flushHeaders() {},
    write(...given: unknown[]) {
      const done = take(given)
      if (done) process.nextTick(done)
      return true
    },
    end(...given: unknown[]) {
      const done = take(given)
      Object.assign(res, { write, end, flushHeaders })
      const page = Buffer.concat(chunks)
      const isPage = String(res.getHeader('content-type')).startsWith('text/html') && res.statusCode < 500
      const body = isPage ? Buffer.from(withoutClient(page.toString('utf8'))) : page
      if (body.length > 0) res.write(body)
      return res.end(done)
    },
  })
}

/** Tells Next's client, which asks for a part of a page of forms, to load the page as a whole. */
export function leadToWholePage(req: IncomingMessage, res: ServerResponse) {
  const text = 'a whole page'
  res.setHeader('cache-control', 'no-store')
  res.setHeader('content-type', 'text/plain; charset=utf-8')
  res.setHeader('content-length', text.length)
  res.writeHead(200)
  res.end(req.method === 'HEAD' ? undefined : text)
}
