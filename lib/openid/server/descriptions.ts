import type { KoaContextWithOIDC } from 'oidc-provider'

const descriptions: Record<string, string> = {
  access_denied: 'the person refused, or may not use the application',
  consent_required: 'the person must be asked for consent',
  interaction_required: 'the person must be asked',
  invalid_client: 'the client is unknown or disabled',
  invalid_request: 'the request is invalid',
  login_required: 'the person must sign in',
  registration_not_supported: 'the parameter registration is not supported',
  request_not_supported: 'the parameter request is not supported',
  request_uri_not_supported: 'the parameter request_uri is taken from pushed requests only',
  server_error: 'something failed here',
  temporarily_unavailable: 'a store is away; try again in a moment',
  too_many_requests: 'too many requests; Retry-After says when to come again',
  unmet_authentication_requirements: 'the person could not sign in as was asked for',
}

/** Returns the description of an error that has none itself, for developers of applications. */
export const describe = (error: string): string => descriptions[error] ?? 'the request could not be answered'

const isFailure = (body: unknown): body is { error: string; error_description?: string } =>
  typeof body === 'object' && body !== null && typeof (body as { error?: unknown }).error === 'string'

/** Adds a description to the parameters of an authorization response that lack one. Returns whether it did. */
function describeParameters(params: URLSearchParams): boolean {
  const error = params.get('error')
  // our responses always contain `iss`: without it these are parameters of the application itself
  if (!error || !params.has('iss') || params.has('code') || params.has('error_description')) return false
  params.set('error_description', describe(error))
  return true
}

function describeLocation(location: string): string {
  const url = URL.parse(location)
  if (!url) return location
  const fragment = new URLSearchParams(url.hash.slice(1))
  if (describeParameters(fragment)) url.hash = fragment.toString()
  else if (!describeParameters(url.searchParams)) return location
  return url.href
}

const fieldOf = (form: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1]

function describeForm(form: string): string {
  const error = fieldOf(form, 'error')
  if (!error || fieldOf(form, 'iss') === undefined || fieldOf(form, 'error_description') !== undefined) return form
  return form.replace('</form>', `<input type="hidden" name="error_description" value="${describe(error)}"/></form>`)
}

/** Adds a description to a failure without one, in each form: JSON, an address, a form. */
export function describeFailure(ctx: KoaContextWithOIDC): void {
  const { body, status } = ctx
  if (status === 404 && !body) {
    ctx.status = 404
    ctx.body = { error: 'invalid_request', error_description: 'there is nothing at this address' }
  } else if (isFailure(body)) body.error_description ??= describe(body.error)
  else if (ctx.oidc?.route === 'revocation' && status === 200 && body === '') ctx.body = {}
  const location = ctx.response.get('location')
  if (location) ctx.set('location', describeLocation(location))
  else if (typeof body === 'string' && /^(authorization|resume)$/.test(ctx.oidc?.route ?? ''))
    ctx.body = describeForm(body)
}
