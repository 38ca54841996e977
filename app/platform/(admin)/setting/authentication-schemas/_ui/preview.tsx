'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Field } from '@/components/form/field'
import { inputClasses } from '@/components/form/input-classes'
import { useFailureText } from '@/components/form/use-failure-text'
import { useOptions } from '@/components/form/use-options'
import { useRemote } from '@/components/form/use-remote'
import type { Option } from '@/components/form/use-search'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/cn'
import { ChevronDown } from '@/components/ui/icons'
import { CallError, call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import type { SchemaPreview } from '@/lib/sign-in/schema-administration/contract'
import { PreviewSteps } from './preview-steps'

type PreviewSubject = { userId: string } | { identifier: string }
type Result = { preview: SchemaPreview } | { failed: string }

/** Shows what sign-in offers to a person, and what anybody sees who types an identifier. */
export function Preview() {
  const t = useTranslations('authentication-schemas.preview')
  const locale = useLocale()
  const failureText = useFailureText()
  const people = useRemote('people')
  const [person, setPerson] = useState<Option | null>(null)
  const [typed, setTyped] = useState('')
  const [result, setResult] = useState<Result | null>(null)
  const [pending, setPending] = useState(false)
  const lastTurn = useRef(0)
  const title = useId()

  const ask = async (query: PreviewSubject) => {
    const turn = ++lastTurn.current
    setPending(true)
    const read = async () => {
      const { previewAuthenticationSchema } = await import('@/lib/sign-in/schema-administration/contract')
      return call(previewAuthenticationSchema, { query })
    }
    const answer = await read().then(
      (preview): Result => ({ preview }),
      async (error: unknown): Promise<Result> => ({
        failed: error instanceof CallError && error.status === 404 ? t('unknownPerson') : await failureText(error),
      }),
    )
    // a later question may already have an answer
    if (turn !== lastTurn.current) return
    setPending(false)
    setResult(answer)
  }
  const choose = (option: Option) => {
    setPerson(option)
    setTyped('')
    close()
    void ask({ userId: option.value })
  }
  const { button, opens, popover, close } = useOptions({
    label: t('person'),
    search: people,
    chosen: person ? [person.value] : [],
    onChoose: choose,
    className: 'w-(--radix-popover-trigger-width) min-w-60',
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!typed.trim()) return
    setPerson(null)
    void ask({ identifier: typed })
  }
  const failed = result && 'failed' in result ? result.failed : undefined
  return (
    <section aria-labelledby={title}>
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <h2 id={title} className="text-section">
            {t('title')}
          </h2>
          <p className="text-ink-second text-note">{t('text')}</p>
        </div>
        <Field label={t('person')}>
          {(bound) => (
            <>
              <button
                {...bound}
                {...opens}
                ref={button}
                className={cn(
                  inputClasses,
                  'flex h-10 cursor-pointer items-center justify-between gap-2 text-left pointer-coarse:h-11',
                )}
              >
                <span className={cn('truncate', !person && 'text-ink-second')}>{person?.label ?? t('choose')}</span>
                <ChevronDown className="size-4 text-ink-second" />
              </button>
              {popover}
            </>
          )}
        </Field>
        <form onSubmit={submit} className="grid gap-2">
          <Field label={t('identifier')} hint={t('identifierHint')}>
            {(bound) => (
              <span className="flex gap-2">
                <input
                  {...bound}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  autoComplete="off"
                  maxLength={255}
                  className={cn(inputClasses, 'h-10 min-w-0 grow pointer-coarse:h-11')}
                />
                <Button type="submit" variant="secondary" pending={pending}>
                  {t('show')}
                </Button>
              </span>
            )}
          </Field>
        </form>
        <div aria-live="polite" className="empty:hidden">
          {failed ? <p className="text-danger text-table">{failed}</p> : null}
          {result && 'preview' in result ? (
            <PreviewSteps preview={result.preview} nameOf={(of) => localName(of, locale)} />
          ) : null}
        </div>
      </Card>
    </section>
  )
}
