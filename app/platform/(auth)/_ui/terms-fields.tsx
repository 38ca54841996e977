'use client'

import { useTranslations } from 'next-intl'
import { CheckboxField } from '@/components/form/checkbox-field'
import { useErrorText } from '@/components/form/use-error-text'
import { TextLink } from '@/components/ui/text-link'
import { termFieldId, type useTerms } from './use-terms'

type Props = {
  terms: Pick<ReturnType<typeof useTerms>, 'terms' | 'agreed' | 'set'>
  /** The error codes by field, and the function that removes one, from useSubmission. */
  errors: Record<string, string>
  forget: (field: string) => void
}

/** A checkbox for each document that the person must agree to. */
export function TermsFields({ terms: { terms, agreed, set }, errors, forget }: Props) {
  const t = useTranslations('entry.terms')
  const errorText = useErrorText()
  if (terms.length === 0) return null
  return (
    <div className="grid gap-4">
      {terms.map(({ id, linkTitle, link }) => {
        const name = termFieldId(id)
        const error = errors[name]
        return (
          <CheckboxField
            key={id}
            id={name}
            checked={agreed.has(id)}
            onChange={(event) => {
              set(id, event.target.checked)
              forget(name)
            }}
            error={error && errorText(error)}
          >
            {t.rich('agree', {
              document: () => (
                <TextLink href={link} target="_blank">
                  {linkTitle}
                  <span className="sr-only"> {t('newTab')}</span>
                </TextLink>
              ),
            })}
          </CheckboxField>
        )
      })}
    </div>
  )
}
