'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { CallError } from '@/lib/base/http/client'
import type { ErrorData } from '@/lib/base/runtime/errors'
import { sampleConflictCall } from './sample-contracts'

type Kind = 'conflict' | 'deleted'

const [openedAt, savedAt] = ['2026-11-22T10:00:00.000Z', '2026-11-22T13:05:00.000Z']

function ExampleForm({ kind, onDone }: { kind: Kind; onDone: () => void }) {
  const t = useTranslations('gallery.dialogs')
  const tu = useTranslations('ui')
  const by = { name: t('other'), you: false }
  const conflictError = (status: number, data: ErrorData) =>
    new CallError(status, 'conflict', data, undefined, undefined)
  const form = useContractForm(sampleConflictCall, {
    defaultValues: {
      name: t('nameThen'),
      comment: t('commentThen'),
      visible: true,
      secret: '',
      updatedAt: openedAt,
    },
    send: async ({ updatedAt }) => {
      if (kind === 'deleted') throw conflictError(404, { deleted: { at: savedAt, by } })
      // after the form has the changed stored values, it can be saved
      if (updatedAt === savedAt) return {}
      const values = { name: t('nameNow'), comment: t('commentNow'), visible: false }
      throw conflictError(409, { conflict: { updatedAt: savedAt, at: savedAt, by, values, hidden: ['secret'] } })
    },
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={tu('save')}>
      <FormText name={field('name')} label={t('name')} />
      <FormTextarea name={field('comment')} label={t('comment')} rows={2} />
      <FormSwitch name={field('visible')} label={t('visible')} />
      <FormText mono name={field('secret')} label={t('secret')} />
    </DialogForm>
  )
}

/** A form whose object another person saves or deletes while it is open. */
export function ConflictExample({ kind }: { kind: Kind }) {
  const t = useTranslations('gallery.dialogs')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t(kind)}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('conflictTitle')}
        text={t(kind === 'conflict' ? 'conflictText' : 'deletedText')}
        size="M"
      >
        <ExampleForm kind={kind} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
