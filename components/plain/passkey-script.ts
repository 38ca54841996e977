import { versionOf } from '@/lib/base/http/immutable-response'

/**
 * Asks for a passkey before the form that it signs is sent. It is sent as it stands here, on pages that offer passkeys
 * only, so it uses nothing from outside itself.
 *
 * | attribute | effect |
 * |---|---|
 * | `data-passkey="id.example"` | the form needs a signature by a passkey of this relying party; it is shown where the browser can |
 * | `data-passkey-in-field` | the browser offers passkeys in the field of the identifier too (conditional mediation) |
 * | `data-passkey-canceled` | says that no passkey was used |
 * | `data-passkey-unsupported` | is shown where the browser can't |
 * | `data-passkey-unknown` | the id of a passkey that nobody has: the browser is told so |
 */
function passkeyScript() {
  type Mediation = CredentialMediationRequirement
  /** Milliseconds for which the challenge of the page works, but for those that the person takes. */
  const fresh = 55 * 60_000
  const opened = Date.now()
  const { PublicKeyCredential: supported } = window as {
    PublicKeyCredential?: {
      isConditionalMediationAvailable?: () => Promise<boolean>
      signalUnknownCredential?: (signal: { rpId: string; credentialId: string }) => Promise<void>
    }
  }
  const textOf = (buffer: ArrayBuffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=+$/, '')
  const unsupported = () => {
    for (const note of document.querySelectorAll<HTMLElement>('[data-passkey-unsupported]')) note.hidden = false
  }

  const prepare = (form: HTMLFormElement) => {
    const rpId = form.dataset.passkey ?? ''
    if (!supported || !rpId) {
      // another way stands beside the field
      if (!('passkeyInField' in form.dataset)) unsupported()
      return
    }
    const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
    form.hidden = false
    if (button) button.hidden = false
    if (button?.autofocus && document.activeElement === document.body) button.focus()
    const field = form.elements.namedItem('passkey') as HTMLInputElement
    const idField = form.elements.namedItem('passkeyId') as HTMLInputElement
    const token = form.elements.namedItem('token') as HTMLInputElement
    const note = form.querySelector<HTMLElement>('[data-passkey-canceled]')
    const unknown = document.querySelector<HTMLElement>('[data-passkey-unknown]')?.dataset.passkeyUnknown
    if (unknown) supported.signalUnknownCredential?.({ rpId, credentialId: unknown }).catch(() => {})
    // a form that the browser restored was sent already
    field.value = ''

    let asking: AbortController | undefined
    const ask = async (mediation?: Mediation) => {
      asking?.abort()
      const controller = new AbortController()
      asking = controller
      const challenge = new TextEncoder().encode(token.value)
      const options: CredentialRequestOptions = {
        publicKey: { challenge, rpId, userVerification: 'required' },
        signal: controller.signal,
        ...(mediation ? { mediation } : {}),
      }
      const credential = (await navigator.credentials.get(options)) as PublicKeyCredential | null
      if (!credential || asking !== controller) return
      const { clientDataJSON, authenticatorData, signature, userHandle } =
        credential.response as AuthenticatorAssertionResponse
      const id = textOf(credential.rawId)
      idField.value = id
      field.value = JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: textOf(clientDataJSON),
          authenticatorData: textOf(authenticatorData),
          signature: textOf(signature),
          ...(userHandle ? { userHandle: textOf(userHandle) } : {}),
        },
      })
      form.requestSubmit()
    }
    const offerInField = async () => {
      if (!('passkeyInField' in form.dataset) || !(await supported.isConditionalMediationAvailable?.())) return
      await ask('conditional')
    }
    const isAborted = (error: unknown) => (error as Error).name === 'AbortError'

    form.addEventListener('submit', (event) => {
      if (field.value) return
      event.preventDefault()
      if (Date.now() - opened > fresh) return location.reload()
      if (note) note.textContent = ''
      ask().catch((error: Error) => {
        if (isAborted(error)) return
        if (error.name === 'SecurityError') {
          // the browser knows no relying party but the host of the page
          form.hidden = true
          unsupported()
        }
        if (note) note.textContent = note.dataset.passkeyCanceled ?? ''
        void offerInField().catch(() => {})
      })
    })
    void offerInField().catch(() => {})
    setTimeout(() => asking?.abort(), fresh)
  }
  // the script of the page has put hidden elements into it by then
  document.addEventListener('DOMContentLoaded', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) prepare(form)
  })
}

/** The script of pages that offer passkeys, as browsers load it. */
export const passkeyScriptText = `(${passkeyScript})()`

/** Its address, which browsers cache for ever. */
export const passkeyScriptAddress = `/platform/passkey.js?v=${versionOf(passkeyScriptText)}`
