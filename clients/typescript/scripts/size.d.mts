export interface Size {
  readonly raw: number;
  readonly gzip: number;
}

/** Bytes of each page, raw and compressed, by its name. */
export function sizes(): Promise<Readonly<Record<string, Size>>>;
