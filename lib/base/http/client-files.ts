/** Returns a call's body as a form: files as they are, other values as text, without absent values. */
export function formOf(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form
}

/** Returns the file name that a Content-Disposition header states (RFC 6266); empty without one. */
function fileNameOf(disposition: string): string {
  const encodedName = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  try {
    if (encodedName) return decodeURIComponent(encodedName)
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

/** Returns a stream that passes bytes on and calls `onReceived` with their number so far. */
function byteCounter(onReceived: (bytes: number) => void) {
  let bytes = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      onReceived(bytes)
      controller.enqueue(chunk)
    },
  })
}

/**
 * Returns the file in an answer; calls `onReceived` with the number of bytes so far. Throws if the answer breaks off.
 */
export async function fileOf(response: Response, onReceived?: (bytes: number) => void): Promise<File> {
  const { headers, body } = response
  const type = headers.get('content-type') ?? ''
  const countedResponse = onReceived && body ? new Response(body.pipeThrough(byteCounter(onReceived))) : response
  return new File([await countedResponse.blob()], fileNameOf(headers.get('content-disposition') ?? ''), { type })
}
