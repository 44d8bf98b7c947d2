# The program in a container: Debian slim, and a static binary that needs nothing of it.
#
#   docker build -t huller .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD":/data huller extract crawl -o corpus
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# With a target, so that flags are for the program and not for what runs during the build. glibc, whose allocator is faster than
# musl's; nothing here asks it for names of hosts or users, which is what static glibc cannot do.
RUN target=$(rustc -vV | sed -n 's/^host: //p') \
    && RUSTFLAGS='-C target-feature=+crt-static' cargo build --release --locked -p huller-cli --target "$target" \
    && cp "target/$target/release/huller" /huller

FROM debian:bookworm-slim
COPY --from=build /huller /usr/local/bin/huller
COPY LICENSE-MIT LICENSE-APACHE NOTICE /usr/local/share/doc/huller/
USER 1000:1000
WORKDIR /data
ENTRYPOINT ["huller"]
