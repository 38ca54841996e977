import { Mono } from './mono'

type Props = {
  /** One path of an SVG of this width and height. */
  qr: { size: number; path: string }
  label: string
}

/** A QR code, dark on white in both themes, so that every app reads it. */
export const QrPicture = ({ qr: { size, path }, label }: Props) => (
  <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="size-48 rounded-control">
    <rect width={size} height={size} fill="#fff" />
    <path d={path} fill="#000" shapeRendering="crispEdges" />
  </svg>
)

/** The key of an authenticator app, in groups of four for those who type it. */
export const AppKey = ({ children: key }: { children: string }) => <Mono>{key.replace(/.{4}(?=.)/g, '$& ')}</Mono>
