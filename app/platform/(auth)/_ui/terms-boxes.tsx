import { useTranslations } from 'next-intl'
import { useErrorText } from '@/components/form/use-error-text'
import { PlainError, plainControl } from '@/components/plain/plain-field'
import { TextLink } from '@/components/ui/text-link'
import { termsField } from '@/lib/base/http/form-terms'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { FormFailure, Typed } from './form-failure'

/** The checkboxes of documents, for the summary above their form. */
export const termLabels = (terms: readonly TermsRequired[]) =>
  Object.fromEntries(terms.map(({ id, title }) => [termsField(id), { id: termsField(id), label: title }]))

type Props = {
  terms: readonly TermsRequired[]
  /** The codes of the faulty fields. */
  errors: FormFailure['errors']
  /** What was ticked before. */
  before: Typed | null
}

/** A checkbox for each document that the person must agree to. The form is answered with `agreementsIn`. */
export function TermsBoxes({ terms, errors, before }: Props) {
  const t = useTranslations('entry.terms')
  const errorText = useErrorText()
  if (terms.length === 0) return null
  return (
    <div className="grid gap-4">
      {terms.map(({ id: documentId, version, linkTitle, link }) => {
        const [id, document] = [termsField(documentId), `${documentId} ${version}`]
        const code = errors[id]
        const error = code && errorText(code)
        return (
          <div key={document} className="grid gap-1.5">
            <input type="hidden" name="document" value={document} />
            <div className="flex items-start gap-3">
              <input
                {...plainControl(id, error)}
                type="checkbox"
                name="agreed"
                value={document}
                defaultChecked={before?.has('agreed', document)}
                className="mt-0.5 size-5 shrink-0 cursor-pointer accent-brand aria-invalid:outline-2 aria-invalid:outline-danger"
              />
              <label htmlFor={id} className="cursor-pointer">
                {t.rich('agree', {
                  document: () => (
                    <TextLink href={link} target="_blank">
                      {linkTitle}
                      <span className="sr-only"> {t('newTab')}</span>
                    </TextLink>
                  ),
                })}
              </label>
            </div>
            <PlainError id={id} error={error} />
          </div>
        )
      })}
    </div>
  )
}
