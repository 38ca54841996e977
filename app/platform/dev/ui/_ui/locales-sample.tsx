'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormLocales } from '@/components/form/form-locales'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { useContractForm } from '@/components/form/use-contract-form'
import { Card } from '@/components/ui/card'
import { CallError } from '@/lib/base/http/client'
import { sampleLocalesCall } from './sample-contracts'

const locales = [
  { id: 'ru', code: 'ru', name: 'Русский' },
  { id: 'en', code: 'en', name: 'English' },
  { id: 'kk', code: 'kk', name: 'Қазақша' },
]
const [openedAt, savedAt] = ['2026-11-22T10:00:00.000Z', '2026-11-22T13:05:00.000Z']

/**
 * A form with texts in several languages. The server refuses a name, and then another person saves another language.
 */
export function LocalesSample() {
  const t = useTranslations('gallery.locales')
  const td = useTranslations('gallery.dialogs')
  const tu = useTranslations('ui')
  const first = {
    ru: { localeId: 'ru', name: t('ruName'), content: t('ruContent') },
    en: { localeId: 'en', name: 'Terms of use', content: 'An account is for one person.' },
  }
  const [done, setDone] = useState(false)
  const form = useContractForm(sampleLocalesCall, {
    defaultValues: { locales: [first.ru, first.en], updatedAt: openedAt },
    send: async ({ locales: rows, updatedAt }) => {
      const refusedIndex = rows.findIndex(({ name }) => name === t('taken'))
      if (refusedIndex >= 0) {
        const errorList = [{ field: `locales[${refusedIndex}].name`, code: 'errorUnique' }]
        throw new CallError(400, 'errorFields', { errorList }, undefined, undefined)
      }
      if (updatedAt === savedAt) return {}
      const values = { locales: [first.ru, { ...first.en, content: 'An account is for one person alone.' }] }
      const conflict = { updatedAt: savedAt, at: savedAt, by: { name: td('other'), you: false }, values, hidden: [] }
      throw new CallError(409, 'conflict', { conflict }, undefined, undefined)
    },
    quiet: true,
    onDone: () => setDone(true),
  })
  const field = fieldsOf(form)
  return (
    <Card className="max-w-[36rem]">
      <Form form={form}>
        <FormErrors />
        <FormLocales
          name={field('locales')}
          label={t('label')}
          locales={locales}
          empty={(localeId) => ({ localeId, name: '', content: '' })}
          state={({ localeId }) => (localeId === 'ru' ? t('main') : localeId === 'kk' ? t('off') : undefined)}
        >
          {(row) => (
            <>
              <FormText name={row('name')} label={t('name')} hint={t('hint', { taken: t('taken') })} />
              <FormTextarea name={row('content')} label={t('content')} rows={3} />
            </>
          )}
        </FormLocales>
        <div className="flex items-center gap-3">
          <SubmitButton>{tu('save')}</SubmitButton>
          <p role="status" className="text-ink-second">
            {done ? t('saved') : ''}
          </p>
        </div>
      </Form>
    </Card>
  )
}
