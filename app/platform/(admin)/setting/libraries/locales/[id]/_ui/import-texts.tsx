'use client'

import { Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { useFileChoice } from '@/components/form/use-file-choice'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { Mono } from '@/components/ui/mono'
import { writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'

const rule = { types: ['application/json'], max: 2 * 1024 ** 2 }
/** How many faults are shown; the others appear after these are corrected. */
const shownFaults = 20

type Text = { key: string; text: string }
type Fault = { key: string; text: string }

/** Returns the texts of a file, whose keys are nested or joined by dots; null if it has another format. */
function textsIn(content: string): Text[] | null {
  const texts: Text[] = []
  const walk = (node: unknown, path: string): boolean => {
    if (typeof node === 'string') {
      if (node.trim() !== '') texts.push({ key: path, text: node })
      return true
    }
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return false
    return Object.entries(node).every(([name, part]) => walk(part, path ? `${path}.${name}` : name))
  }
  try {
    return walk(JSON.parse(content), '') && texts.length > 0 ? texts : null
  } catch {
    return null
  }
}

/** Imports a file of texts: all are stored or none, and then each fault is named by its key. */
export function ImportTexts({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTranslations('locale-texts')
  const errorText = useErrorText()
  const { write, pending, reason } = useWriter()
  const [failed, setFailed] = useState<{ title: string; faults: Fault[] } | null>(null)
  const { open, input, fault } = useFileChoice({
    rule,
    label: t('file'),
    onChoose: async (file) => {
      setFailed(null)
      const texts = textsIn(await file.text())
      if (!texts) return setFailed({ title: t('noFile'), faults: [] })
      const outcome = await write(
        writeLocaleTexts,
        { params: { id }, body: { texts } },
        { failure: 'inside', params: { count: texts.length } },
      )
      if (outcome?.ok) return onDone()
      if (!outcome) return
      const faults = outcome.error.errorList.map(({ field, code, params }) => ({
        key: texts[Number(/^texts[.[](\d+)/.exec(field)?.[1])]?.key ?? field,
        text: errorText(code, params),
      }))
      setFailed(
        faults.length > 0
          ? { title: t('nothingImported', { count: faults.length }), faults }
          : { title: reason(outcome.error), faults },
      )
    },
  })
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        <Button variant="secondary" pending={pending} onClick={open} className="justify-self-start">
          <Upload aria-hidden="true" className="size-4" />
          {t('choose')}
        </Button>
        {input}
        <p className="text-ink-second text-note">{t('fileHint')}</p>
        {fault ? (
          <p role="alert" className="text-danger text-table">
            {t(fault)}
          </p>
        ) : null}
        {failed ? (
          <Alert tone="danger" role="alert" title={failed.title}>
            {failed.faults.length > 0 ? (
              <ul className="grid gap-2">
                {failed.faults.slice(0, shownFaults).map(({ key, text }) => (
                  <li key={key} className="grid">
                    <Mono>{key}</Mono>
                    <span>{text}</span>
                  </li>
                ))}
                {failed.faults.length > shownFaults ? (
                  <li>{t('moreFaults', { count: failed.faults.length - shownFaults })}</li>
                ) : null}
              </ul>
            ) : null}
          </Alert>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
      </DialogFooter>
    </>
  )
}
