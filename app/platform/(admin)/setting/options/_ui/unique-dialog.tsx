'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog'
import type { FieldError } from '@/lib/base/runtime/errors'

/** Says which values several people share, because they can't identify a person. */
export function UniqueDialog({ errors, onClose }: { errors: readonly FieldError[]; onClose: () => void }) {
  const t = useTranslations('settings.unique')
  return (
    <Dialog open onOpenChange={onClose} title={t('title')} text={t('text')}>
      <DialogBody>
        <ul className="grid gap-2 text-table">
          {errors.map(({ field, params = {} }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: hidden values are all the same
            <li key={index} className="flex flex-wrap justify-between gap-x-4 border-line border-b pb-2">
              <span className="min-w-0 break-all">
                <span className="text-ink-second">{t(field === 'identificationMobile' ? 'mobile' : 'email')}: </span>
                {params.value || t('hidden')}
              </span>
              {params.count ? (
                <span className="tabular-nums">{t('people', { count: Number(params.count) })}</span>
              ) : null}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFooter>
    </Dialog>
  )
}
