import type { FieldError } from '../runtime/errors'

/** Returns the field of a document that a form asks to agree to. */
export const termsField = (id: string) => `terms-${id}`

/**
 * Returns the answers of a posted form to the documents that its page has asked to agree to (`TermsBoxes`), as calls
 * take them, and the faults of those that aren't agreed to.
 */
export function agreementsIn(fields: URLSearchParams) {
  const agreed = new Set(fields.getAll('agreed'))
  const answers = fields.getAll('document').map((document) => {
    const [type = '', version] = document.split(' ')
    return { type, agree: agreed.has(document), version: Number(version) || 0 }
  })
  const faults = answers
    .filter(({ agree }) => !agree)
    .map(({ type }): FieldError => ({ field: termsField(type), code: 'errorTerms' }))
  return { termsAgree: answers.filter(({ version }) => version > 0), faults }
}

/** Returns a fault of a call, named as the form names the document that the call misses. */
export function agreementFault({ field, code, ...rest }: FieldError): FieldError {
  const [, id] = /^termsAgree\.(.+)$/.exec(field) ?? []
  return id ? { field: termsField(id), code: 'errorTerms', ...rest } : { field, code, ...rest }
}
