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
