import Core
import HTTPTypes
import HubWords

/// The routes for registering devices and renewing their tokens.
struct AuthRoutes: Sendable {
  let devices: DeviceDesk
  let desk: HubDesk

  /// The maximum size in bytes of a request's body if the request has no token.
  private static let mostBytes = 16 << 10

  var all: [HubRoute] {
    [
      .post("/v1/auth/device/register", for: .everybody) { (request) async throws(Failure) in
        let asked = try await request.object(
          DeviceRegistration.self, upTo: Self.mostBytes)
        return try HubAnswer(
          try await desk.write { () throws(Failure) in try devices.register(asked) },
          status: .created)
      },
      .post("/v1/auth/token/refresh", for: .everybody) { (request) async throws(Failure) in
        let asked = try await request.object(TokenRenewal.self, upTo: Self.mostBytes)
        return try HubAnswer(
          try await desk.write { () throws(Failure) in try devices.refresh(asked) })
      },
      .put("/v1/auth/device/push-token", for: .devices) { (request) async throws(Failure) in
        let update = try await request.object(PushTokenUpdate.self)
        try await desk.write { () throws(Failure) in
          try devices.setPushToken(update, of: request.visitor?.deviceId)
        }
        return HubAnswer([], contentType: "application/json", status: .noContent)
      },
    ]
  }
}
