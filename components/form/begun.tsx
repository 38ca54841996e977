'use client'

import { useTranslations } from 'next-intl'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'
import type { Sent, Step } from './actions'

type BegunProps = {
  step: Step
  open: boolean
  onClose: () => void
  send: (sent: Sent, failure: 'inside') => Promise<string | undefined>
}

/** The dialog of a started action. It is loaded with the first action that has one. */
export function Begun({ step, open, onClose, send }: BegunProps) {
  const t = useTranslations('ui')
  switch (step.kind) {
    case 'view': {
      const { shown, body, size } = step
      return (
        <Dialog open={open} onOpenChange={onClose} size={size} title={shown.title}>
          <DialogBody label={shown.title} className="grid content-start gap-3">
            {shown.text ? <p>{shown.text}</p> : null}
            {body}
          </DialogBody>
          <DialogFooter>
            <DialogCancel>{t('close')}</DialogCancel>
          </DialogFooter>
        </Dialog>
      )
    }
    case 'dialog':
      return (
        <Dialog open={open} onOpenChange={onClose} size={step.size} title={step.shown.title} text={step.shown.text}>
          {step.body(onClose)}
        </Dialog>
      )
    case 'confirm':
      return (
        <ConfirmDialog
          open={open}
          onOpenChange={onClose}
          title={step.ask.title}
          text={step.ask.text}
          tone={step.ask.tone ?? 'primary'}
          confirm={step.verb}
          onConfirm={() => send(step.sent, 'inside')}
        />
      )
    default:
      return null
  }
}
