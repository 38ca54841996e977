'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useId, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { Button } from '../ui/button'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'

/** A square of the picture, in its pixels. */
export type Square = { left: number; top: number; size: number }

type Props = {
  file: File
  /** Saves the square. Returns the text of a failure; undefined after a success. */
  save: (square: Square) => Promise<string | undefined>
  onClose: () => void
  /** Called for a file that the browser can't show. */
  onUnreadable: () => void
}

const most = 4
const preview = [96, 40]

/** Chooses the square of a picture by mouse, touch, wheel and keyboard, with a preview. */
export function CropDialog({ file, save, onClose, onUnreadable }: Props) {
  const t = useTranslations('account.avatar')
  const hint = useId()
  const zoomId = useId()
  const [address, setAddress] = useState<string | null>(null)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const [natural, setNatural] = useState({ width: 1, height: 1 })
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  useEffect(() => {
    const objectUrl = URL.createObjectURL(file)
    setAddress(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])

  const send = async () => {
    if (!area) return
    setPending(true)
    // rounding must not exceed the picture
    const size = Math.max(1, Math.min(Math.floor(area.width), natural.width, natural.height))
    const left = Math.max(0, Math.min(Math.round(area.x), natural.width - size))
    const top = Math.max(0, Math.min(Math.round(area.y), natural.height - size))
    const failed = await save({ left, top, size })
    setPending(false)
    setFailure(failed ?? null)
    if (failed === undefined) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => (open || pending ? undefined : onClose())} title={t('cropTitle')}>
      <DialogBody className="grid content-start gap-4">
        {failure ? (
          <p role="alert" className="text-danger">
            {failure}
          </p>
        ) : null}
        <p id={hint} className="text-ink-second text-table">
          {t('cropText')}
        </p>
        <div className="relative h-[min(20rem,45dvh)] overflow-clip rounded-card bg-sunken">
          {address ? (
            <Cropper
              image={address}
              crop={crop}
              zoom={zoom}
              aspect={1}
              minZoom={1}
              maxZoom={most}
              cropShape="round"
              showGrid={false}
              keyboardStep={8}
              disableAutomaticStylesInjection
              cropperProps={{ 'aria-label': t('area'), 'aria-describedby': hint, role: 'application' }}
              mediaProps={{ onError: onUnreadable, alt: '' }}
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onMediaLoaded={({ naturalWidth, naturalHeight }) =>
                setNatural({ width: naturalWidth, height: naturalHeight })
              }
              onCropAreaChange={(_, pixels) => setArea(pixels)}
            />
          ) : null}
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <div className="grid grow basis-48 gap-1.5">
            <label htmlFor={zoomId} className="font-medium text-table">
              {t('zoom')}
            </label>
            <input
              id={zoomId}
              type="range"
              min={1}
              max={most}
              step={0.05}
              value={zoom}
              onChange={({ target }) => setZoom(Number(target.value))}
              className="h-6 w-full cursor-pointer rounded-control accent-brand pointer-coarse:h-11"
            />
          </div>
          <div aria-hidden="true" className="flex items-center gap-3">
            {address && area
              ? preview.map((side) => (
                  <span
                    key={side}
                    className="relative block shrink-0 overflow-clip rounded-full border border-line"
                    style={{ width: side, height: side }}
                  >
                    {/* biome-ignore lint/performance/noImgElement: a file of the browser */}
                    <img
                      src={address}
                      alt=""
                      className="absolute max-w-none"
                      style={{
                        width: (natural.width * side) / area.width,
                        height: (natural.height * side) / area.height,
                        left: (-area.x * side) / area.width,
                        top: (-area.y * side) / area.height,
                      }}
                    />
                  </span>
                ))
              : null}
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <Button pending={pending} onClick={send} disabled={!area}>
          {t('save')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
