'use client'

import { Copy, FileSearch, List, LogOut, MoreHorizontal, RefreshCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { type Action, sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { CallError } from '@/lib/base/http/client'
import { sampleRowCall } from './sample-contracts'

const well = async () => ({})
const refuse = (status: number, code: string) => async () => {
  throw new CallError(status, code, {}, undefined, undefined)
}

/** Every kind of action once in the menu of a row, and the same as buttons. */
export function Menus() {
  const t = useTranslations('gallery.menus')
  const tu = useTranslations('ui')
  const ask = { title: t('endTitle'), text: t('endText') }
  const end: Action = {
    kind: 'confirm',
    label: t('end'),
    icon: LogOut,
    tone: 'danger',
    ask,
    sends: sends(sampleRowCall, {}, { send: well }),
  }
  const check: Action = {
    kind: 'call',
    label: t('check'),
    icon: RefreshCw,
    sends: sends(sampleRowCall, {}, { send: well }),
  }
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-3">
        <RowActions
          row={t('row')}
          actions={[
            // the first in the list is shown last
            end,
            { kind: 'view', title: t('viewTitle'), body: <p>{t('viewText')}</p> },
            { kind: 'link', label: t('open'), icon: List, href: '/platform/dev/ui/list' },
            'separator',
            {
              kind: 'dialog',
              label: t('details'),
              icon: FileSearch,
              title: t('details'),
              size: 'S',
              body: () => (
                <>
                  <DialogBody label={t('details')}>{t('viewText')}</DialogBody>
                  <DialogFooter>
                    <DialogCancel>{tu('close')}</DialogCancel>
                  </DialogFooter>
                </>
              ),
            },
            check,
            { ...check, label: t('fail'), sends: sends(sampleRowCall, {}, { send: refuse(503, 'unavailable') }) },
            {
              ...end,
              label: t('late'),
              tone: undefined,
              sends: sends(sampleRowCall, {}, { send: refuse(409, 'conflict') }),
            },
            { ...check, label: t('copyLink'), icon: Copy, unavailable: t('why') },
          ]}
        />
        <IconButton label={t('edit')}>
          <MoreHorizontal aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <ActionButton action={end} />
        <ActionButton action={check} />
        <ActionButton action={{ ...check, label: t('copyLink'), unavailable: t('why') }} />
      </div>
    </div>
  )
}
