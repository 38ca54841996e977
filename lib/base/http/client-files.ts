/** Returns a call's body as a form: files as they are, other values as text, absent values left out. */
export function formOf(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form
}

/** Returns the name of the file in an answer (RFC 6266). */
function nameIn(disposition: string): string {
  const coded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  try {
    if (coded) return decodeURIComponent(coded)
  } catch {
    // the plain name is read below
  }
  return (
    /filename="((?:[^"\\]|\\.)*)"|filename=([^;\s]+)/i
      .exec(disposition)
      ?.slice(1)
      .find(Boolean)
      ?.replace(/\\(.)/g, '$1') ?? ''
  )
}

/** Passes bytes on, and tells how many there were. */
function counting(onReceived: (bytes: number) => void) {
  let bytes = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      bytes += chunk.byteLength
      onReceived(bytes)
      to.enqueue(chunk)
    },
  })
}

/** Returns the file in an answer; `onReceived` is told how much of it has come. Throws when the answer breaks off. */
export async function fileOf(response: Response, onReceived?: (bytes: number) => void): Promise<File> {
  const { headers, body } = response
  const type = headers.get('content-type') ?? ''
  const whole = onReceived && body ? new Response(body.pipeThrough(counting(onReceived))) : response
  return new File([await whole.blob()], nameIn(headers.get('content-disposition') ?? ''), { type })
}
