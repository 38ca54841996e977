'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { Field } from '@/components/form/field'
import { inputClasses } from '@/components/form/input-classes'
import { useErrorText } from '@/components/form/use-error-text'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import { checkAddress } from '@/lib/network/access-lists/contract'
import { Period } from './period'

type Answer = CallOutput<typeof checkAddress> & { ip: string }

/** Why an address is admitted or not: the entries that count now. */
function reasonOf({ verdict, whitelistMode, entries }: Answer) {
  if (verdict === 'denied')
    return entries.some(({ list, active }) => active && list === 'blacklist') ? 'byBlacklist' : 'noWhitelist'
  return whitelistMode ? 'byWhitelist' : 'open'
}

type Props = { ip: string; open: boolean; onOpenChange: (open: boolean) => void }

/** The dialog that checks whether an address is admitted now, and shows by which entry. */
export function CheckAddressDialog({ ip, ...dialog }: Props) {
  const t = useTranslations('access-lists.check')
  return (
    <Dialog {...dialog} title={t('title')} text={t('text')}>
      <CheckAddressForm ip={ip} />
    </Dialog>
  )
}

function CheckAddressForm({ ip: readerIp }: { ip: string }) {
  const t = useTranslations('access-lists.check')
  const errorText = useErrorText()
  const [ip, setIp] = useState(readerIp)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const ask = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (pending) return
    setPending(true)
    setError(null)
    try {
      const checkedIp = ip.trim()
      setAnswer({ ...(await call(checkAddress, { query: { ip: checkedIp } })), ip: checkedIp })
    } catch (failure) {
      setAnswer(null)
      const [fault] = failure instanceof CallError ? failure.errorList : []
      setError(fault ? errorText(fault.code, fault.params) : t('failed'))
      input.current?.focus()
    } finally {
      setPending(false)
    }
  }
  return (
    <DialogBody className="grid content-start gap-5">
      <form noValidate onSubmit={ask}>
        <Field label={t('ip')} {...(error ? { error } : {})}>
          {(bound) => (
            <div className="flex flex-wrap gap-2">
              <input
                {...bound}
                ref={input}
                // biome-ignore lint/a11y/noAutofocus: the dialog opens to enter an address
                autoFocus
                autoComplete="off"
                spellCheck={false}
                maxLength={64}
                value={ip}
                onChange={(event) => setIp(event.target.value)}
                className={cn(
                  inputClasses,
                  'h-10 w-auto min-w-0 grow basis-52 font-mono text-table pointer-coarse:h-11',
                )}
              />
              <Button type="submit" variant="secondary" pending={pending}>
                {t('verb')}
              </Button>
            </div>
          )}
        </Field>
      </form>
      <div role="status" className="grid gap-5 empty:-mt-5">
        {answer ? <Verdict answer={answer} /> : null}
      </div>
    </DialogBody>
  )
}

function Verdict({ answer }: { answer: Answer }) {
  const t = useTranslations('access-lists.check')
  const tl = useTranslations('access-lists')
  const allowed = answer.verdict === 'allowed'
  return (
    <>
      <Alert tone={allowed ? 'ok' : 'danger'} title={t(answer.verdict, { ip: answer.ip })}>
        <p>{t(reasonOf(answer))}</p>
      </Alert>
      <section className="grid gap-2.5">
        <h3 className="font-semibold text-table">{t('entries')}</h3>
        {answer.entries.length === 0 ? <p className="text-ink-second text-table">{t('none')}</p> : null}
        <ul className="grid gap-2">
          {answer.entries.map((entry) => (
            <li
              key={`${entry.id} ${entry.subnet}`}
              className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 rounded-card border border-line px-4 py-2.5 text-table"
            >
              <div className="grid min-w-0 gap-0.5">
                <span className="wrap-anywhere">
                  <Mono>{entry.subnet}</Mono>
                  {entry.aliasName ? ` · ${entry.aliasName}` : null}
                </span>
                <span className="text-ink-second text-note">
                  {tl(`lists.${entry.list}`)} · <Period dateFrom={entry.dateFrom} dateTo={entry.dateTo} />
                </span>
                {entry.comment ? (
                  <span className="wrap-anywhere text-ink-second text-note">{entry.comment}</span>
                ) : null}
              </div>
              <Pill tone={entry.active ? (entry.list === 'whitelist' ? 'ok' : 'danger') : 'neutral'}>
                {tl(
                  `states.${entry.active ? 'active' : entry.dateFrom && Date.parse(entry.dateFrom) > Date.now() ? 'planned' : 'ended'}`,
                )}
              </Pill>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
